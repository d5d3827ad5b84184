# A file that is too large
# tries: 2 MiB of source
# idea: upload limits
# verdict: plays
# means: upload-check
# refusal:

# --- prints player.py
print(f"""# stands alone: it is refused at upload
class SimplePlayer:
    pass
# {"x" * 2097152}""")
