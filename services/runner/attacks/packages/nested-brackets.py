# Brackets that no parser likes
# tries: 5,000 nested brackets in player.py
# idea: stack overflows of parsers
# verdict: plays
# means: upload-check
# refusal:

# --- prints player.py
print(f"""# stands alone: it is refused at upload
x = {"(" * 5000}{")" * 5000}
class SimplePlayer:
    pass""")
