# For the shell scripts of tests: python_with MODULE prints a Python that has the module, python_with sys
# any. Debian's modules belong to Debian's Python, which need not be the first one in PATH.
python_with() {
    for python in python3 /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then
            echo "$python"
            return 0
        fi
    done
    return 1
}
