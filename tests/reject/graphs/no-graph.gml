Creator "x"
