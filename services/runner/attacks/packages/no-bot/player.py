# stands alone: it is refused at upload
x = 1
