"""`python -m boardwright` is `boardwright`."""

from boardwright.cli.main import main

main()
