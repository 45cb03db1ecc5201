gossipfab show --topology mesh:4x4 --html a.html
gossipfab show --topology mesh:4x4 --html - | cmp - a.html && echo same
python3 - << 'END'
import json, re
page = open("a.html", encoding="utf-8").read()
print(len(re.findall("<script", page)), len(re.findall("</script>", page)), "http:" in page, "https:" in page)
data = json.loads(re.search('id="data">(.*?)</script>', page, re.S)[1])
print(data["format"], data["graph"]["name"], len(data["graph"]["links"]) // 2, "links")
schedule = data["schedules"][0]
print(len(schedule["rounds"]), "rounds,", sum(map(len, schedule["rounds"])) // 2, "moves, bound", schedule["bound"])
print(schedule["rounds"][0][:8], data["rom"]["words"][5][:8])
END
gossipfab show --topology mesh:3x3 --collective all-reduce --html b.html
gossipfab show --topology path:5000 --collective broadcast --html c.html 2>&1
gossipfab show --topology mesh:40x40 --html c.html 2>&1
gossipfab show --topology mesh:4x4 --html a.html --svg a.svg 2>&1
gossipfab show --topology mesh:4x4 --html a.html --json 2>&1
test ! -e c.html && echo nothing written
