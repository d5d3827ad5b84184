# Zero bytes in source
# tries: a zero byte in the middle of player.py
# idea: terminators
# verdict: plays
# means: upload-check
# refusal:

# --- prints player.py
print("""# stands alone: it is refused at upload
x = "\0"
class SimplePlayer:
    pass""")
