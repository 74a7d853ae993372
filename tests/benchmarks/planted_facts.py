"""Owns 200 facts, and about each a question that is worded otherwise. Knows no search and no conversation.

Four facts are of one making, so that each has three others that resemble it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """Something said once, and what is asked about it much later. `about`: a name in it, which is said elsewhere."""

    kind: str
    said: str
    asked: str
    about: str = ""


_ENGLISH: tuple[tuple[str, str, str], ...] = (
    ("{a}'s dog is called {b}, he told me at lunch.", "What's the name of the dog that belongs to {a}?",
     "Marek|Biscuit;Yolanda|Pirate;Tobias|Mochi;Ingrid|Falstaff"),
    ("We agreed to ship the {a} from {b}.", "From which harbour does the shipment of {a} leave?",
     "pianos|Rotterdam;turbines|Gdansk;saplings|Genoa;microscopes|Antwerp"),
    ("The agreement with {a} ends on {b} and can't be prolonged.", "When does our {a} contract run out?",
     "Halvorsen|31 March;Oyelaran|12 June;Brightwater|1 December;Kestrel|19 August"),
    ("My sister can't eat {a}; it gives her {b}.", "What happens to my sister when she is eating {a}?",
     "cashews|hives;mussels|cramps;celery|a swollen tongue;lupin flour|a rash"),
    ("{a} wants the report as a spreadsheet with {b} columns.", "How many columns did {a} ask for in the spreadsheets?",
     "Petra|nine;Okonkwo|fourteen;Lindqvist|six;Beatriz|eleven"),
    ("For the {a} we budgeted {b} euros.", "How large is the budget of the {a}?",
     "roof|48,200;kitchen renovation|17,350;archive move|9,900;website relaunch|63,000"),
    ("The {a} meeting was moved to {b} at nine.", "To which weekday did we move meetings about {a}?",
     "steering|Thursday;hiring|Tuesday;safety|Monday;retrospective|Friday"),
    ("Our supplier of {a} is {b}, near the border.", "Who supplies us with {a}?",
     "hinges|Norberg & Sons;glue|Chemlux;buttons|Filatura Rossa;gaskets|Dichtwerk"),
    ("Dr. {a} recommended {b} minutes of walking a day.", "How long should I walk daily, as recommended by doctor {a}?",
     "Farahani|forty;Sundaram|twenty-five;Whitcombe|fifty;Delacroix|thirty-five"),
    ("The password hint for the {a} is the river in {b}.", "Which river hints at the password of the {a}?",
     "router|Bratislava;safe|Toledo;tablet|Maastricht;alarm|Kaunas"),
    ("{a} was born in a village called {b}.", "In what village is the birthplace of {a}, who was born there?",
     "Grandmother Ilse|Oberstdorf;Uncle Ruben|Castrillo;Aunt Noor|Giethoorn;Cousin Pavel|Telč"),
    ("Tests of the {a} failed because of {b}.", "Why was testing the {a} a failure?",
     "winch|a worn bearing;scanner|stray light;compressor|moisture in the line;lift|a loose relay"),
    ("We decided against {a} since it is {b}.", "What was our reason for deciding not to take {a}?",
     "linoleum|too slippery;the Lisbon office|too far from the customers;leasing|dearer over five years;"
     "fingerprint locks|unreliable in winter"),
    ("The novel's heroine, {a}, hides the letter in {b}.", "Where is the letter that {a} was hiding?",
     "Seraphine|a hollow oak;Marguerite|the organ pipe;Dunyasha|a sugar tin;Philippa|the lining of a coat"),
    ("{a} translated the leaflet into {b}.", "Into which language is the translation made by {a}?",
     "Kwame|Portuguese;Solveig|Estonian;Hadley|Tagalog;Zsofia|Basque"),
    ("The {a} must be watered every {b} days.", "How often does watering the {a} need to happen?",
     "orchid|ten;fern|three;cactus|twenty-one;lemon tree|five"),
    ("Invoice {a} was paid twice by mistake, {b} will make a refund.",
     "Who refunds the double payment of invoice {a}?",
     "20417|the bank;20588|the insurer;20631|the landlord;20902|the airline"),
    ("Room {a} has no projector, take {b} instead.", "Where can we go when the projectors are lacking in room {a}?",
     "E114|E120;B207|the library;C033|C031;D410|the canteen"),
    ("{a} retires in {b}; until then she trains the new ones.", "In which year is the retirement of {a}?",
     "Roswitha|2031;Consuelo|2029;Margarethe|2033;Anneke|2028"),
    ("The {a} sensor reads {b} degrees too high.", "By how many degrees are the readings of the {a} sensors off?",
     "basement|two;greenhouse|three and a half;attic|four;cellar door|one and a half"),
)  # fmt: skip

# No name to go by: only words that were said in another form.
_REWORDED: tuple[tuple[str, str], ...] = (
    ("I finally got vaccinated against rabies in the clinic at the lake.", "Where did I have my rabies vaccination?"),
    ("My allergist forbade me strawberries.", "Which fruit am I not allowed because of an allergy?"),
    ("The landlord repaired our boiler himself.", "Who did the repairs on boilers?"),
    ("Nobody may photograph the prototypes before May.", "From when is photographing a prototype permitted?"),
    ("She graduated in marine biology.", "In what subject was her graduation?"),
    ("He flew to see the geysers with an early plane.", "What did he see when flying out early by plane?"),
    ("The committee rejected the proposal about parking.", "Was there a rejection of parking proposals?"),
    ("Parcels are accepted only at the rear gate.", "Which gates accept a parcel?"),
    ("I inherited a violin made in Cremona.", "What did I get by inheritance, some violins?"),
    ("The donor wishes to stay anonymous.", "Was anonymity the wish of donors?"),
    ("The tenants complained about drumming after ten.", "What were the complaints of a tenant about?"),
    ("The museum lends us two amphorae until spring.", "How long does the lending by museums last?"),
    ("Overtime is compensated every quarter.", "When do I get compensation for working overtime?"),
    ("The veterinarian prescribed drops for the mare.", "What prescription did the mares get?"),
    ("The diggers came upon a bronze bell.", "What was found while digging, of bronze?"),
    ("Her thesis disproves the old theory of tides.", "Which theories were disproved by a thesis?"),
    ("Subscribers get the magazine two weeks earlier.", "What is the good of a magazine subscription?"),
    ("The bakery closes on Mondays in winter.", "When are bakeries closed?"),
    ("Swimming is forbidden between the two weirs.", "Where may one not swim, near a weir?"),
    ("The choir rehearses in the old tannery.", "Where are rehearsals of choirs?"),
)  # fmt: skip

_CHINESE: tuple[tuple[str, str, str], ...] = (
    ("{a}的猫叫{b}，今年三岁。", "请问{a}养的那只猫是什么名字？",
     "小林|团子;王芳|煤球;老周|布丁;陈静|芝麻"),
    ("我们决定把{a}的会议改到{b}上午。", "讨论{a}的会议后来安排在哪一天？",
     "预算|星期四;招聘|星期二;安全|星期五;装修|星期一"),
    ("和{a}公司的合同到{b}为止。", "我们跟{a}公司签的合同什么时候到期？",
     "恒达|六月三十日;远航|十二月一日;金泰|三月十五日;瑞丰|九月二十日"),
    ("{a}数据库的端口是{b}。", "连接{a}数据库要用多少号端口？",
     "测试|5433;归档|6012;报表|7788;备份|9021"),
    ("{a}对{b}过敏，点菜的时候要注意。", "给{a}点菜时不能放哪种过敏的东西？",
     "表妹|花生;岳父|虾;同事小赵|芒果;室友阿明|牛奶"),
    ("开往{a}的火车在{b}站台。", "去{a}的火车从几号站台出发？",
     "哈尔滨|七号;昆明|十二号;兰州|三号;厦门|九号"),
    ("{a}的密码提示是{b}的门牌号。", "{a}设置的密码提示指的是什么？",
     "路由器|外婆家;保险箱|老房子;平板电脑|舅舅家;门锁|小学"),
    ("小说里的{a}把信藏在{b}里。", "{a}藏起来的那封信放在哪里？",
     "婉清|琴箱;秋月|米缸;墨白|灯笼;如意|枕头"),
    ("{a}每隔{b}天浇一次水。", "多久给{a}浇水一次比较好？", "兰花|十;绿萝|四;仙人掌|二十;栀子花|三"),
    ("{a}项目的预算是{b}万元。", "{a}项目我们一共批了多少预算？",
     "屋顶|十八;官网|三十二;档案|七;物流|五十六"),
    ("{a}的退休时间定在{b}年。", "{a}打算哪一年退休？",
     "李老师|二〇二九;孙主任|二〇三一;吴师傅|二〇二八;郑会计|二〇三三"),
    ("実験では{a}の温度を{b}度に設定した。", "{a}の設定温度は何度だったか？",
     "水槽|二十六;乾燥炉|百八十;培養器|三十七;冷凍庫|マイナス四十"),
)  # fmt: skip

_CODE: tuple[tuple[str, str, str], ...] = (
    ("Set `{a} = {b}` in the config, otherwise it stalls.", "Which value must {a} have?",
     "max_inflight_requests|37;retry_backoff_ms|450;idle_reap_seconds|95;prefetch_window|12"),
    ("```python\ndef {a}(path: str) -> {b}:\n    ...\n```", "What does the function {a} return?",
     "load_tide_table|TideTable;read_manifest|ManifestIndex;open_ledger|LedgerView;scan_volume|VolumeReport"),
    ("The class `{a}` lives in `{b}`.", "In which file did we put {a}?",
     "HarborClient|net/harbor.py;CargoPlanner|plan/cargo.py;BallastSolver|sim/ballast.py;KeelRenderer|ui/keel.py"),
    ("The {a} service listens on port {b}.", "Which ports are the {a} services listening to?",
     "billing|8143;thumbnails|9077;geocoder|7310;mailer|2626"),
    ("`{a}` raises `{b}` when the file is locked.", "Which exception is raised by {a}?",
     "acquireLease|LeaseHeldError;rotateSegment|SegmentBusyError;commitBatch|BatchLockedError;"
     "dropSnapshot|SnapshotInUseError"),
    ("export {a}={b} before you start the worker", "What do I export as {a} for the workers?",
     "QUEUE_SHARDS|16;TRACE_SAMPLING|0.05;BLOB_ROOT|/srv/blobs;LOCALE_FALLBACK|pt-BR"),
    ("The nightly job `{a}` runs at {b} UTC.", "When are nightly runs of {a}?",
     "compact-index|02:40;sync-contacts|04:15;purge-drafts|01:05;rebuild-feed|03:55"),
    ("ALTER TABLE {a} ADD COLUMN {b} TEXT;", "Which columns did we add to the table {a}?",
     "shipments|customs_code;passengers|meal_choice;invoices|cost_centre;berths|tug_operator"),
    ("The bug in {a} was {b}, fixed in commit 4fe{c}.", "What was buggy about {a}?",
     "TextWrapper|an off-by-one at tabs|1;DateParser|a swapped month|2;CsvSniffer|a missing quote|3;"
     "RateLimiter|a float clock|4"),
    ("{{\"{a}\": {{\"timeout\": {b}}}}} goes into settings.json", "How long is the timeout of {a} in the settings?",
     "uploader|240;indexer|75;previewer|18;notifier|33"),
    ("GET /v2/{a} answers 429 after {b} calls a minute.", "How many calls per minute does the {a} endpoint allow?",
     "manifests|120;lockers|45;tariffs|300;moorings|80"),
    ("git tag {a} is the last build that works with {b}.", "Which version still works on {a}, the old tag?",
     "v2.14.7|Python 3.8;v3.0.2|Debian 10;v1.9.11|macOS 12;v4.4.0|Qt 5"),
    ("`{a}()` must be called before `{b}()`, or the handle leaks.", "What has to be called only once {a} is done?",
     "flushPending|closeChannel;sealEnvelope|postEnvelope;pinBuffer|mapBuffer;armTimer|startLoop"),
)  # fmt: skip


def planted_facts() -> list[Fact]:
    """All of them, kinds in turn."""
    return [
        *_made("English", _ENGLISH),
        *(Fact("reworded", said, asked) for said, asked in _REWORDED),
        *_made("Chinese", _CHINESE),
        *_made("code", _CODE),
    ]


def _made(kind: str, patterns: tuple[tuple[str, str, str], ...]) -> list[Fact]:
    made: list[Fact] = []
    for said, asked, values in patterns:
        for one in values.split(";"):
            names = dict(zip("abc", one.split("|"), strict=False))
            made.append(Fact(kind, said.format(**names), asked.format(**names), names["a"]))
    return made
