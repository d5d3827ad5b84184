# A file without a bot
# tries: no class SimplePlayer at all
# idea: everyday
# verdict: plays
# means: upload-check
# refusal: SimplePlayer

# stands alone: it is refused at upload
x = 1
