// There is nothing to run: a package has to use what it depends on.
