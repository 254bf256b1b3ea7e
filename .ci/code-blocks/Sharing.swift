let log: any SharedLog = given()
let url: URL = given()
