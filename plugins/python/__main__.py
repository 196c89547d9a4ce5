"""What the server starts in a sandbox: `python3 SUPPORT run SOURCE`, `wait`, `list` or `install PREFIX NAME...`."""

import sys

if sys.argv[1] == "run":
    from _codebox_run import run

    run(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "wait":
    from _codebox_run import run
    from _codebox_wait import wait

    run(*wait())
elif sys.argv[1] == "list":
    from _codebox_packages import show

    show()
else:
    from _codebox_packages import install

    sys.exit(install(sys.argv[2], sys.argv[3:]))
