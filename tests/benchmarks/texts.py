"""Owns texts of many kinds, the same at every run: written here, generated, or read from what comes with Python.

Knows no tokenizer. Prose and code are read at run time from the standard library's own documentation and sources.
"""

from __future__ import annotations

import base64
import inspect
import json
import math
import random
import re
import sysconfig
import uuid
from collections.abc import Callable
from pathlib import Path

SIX = ("English", "code", "JSON", "Russian", "Chinese", "emoji")
"""The kinds that the targets name."""

UNSEEN = ("Georgian", "rare Han", "one character", "base64", "UUIDs", "Thai", "Hindi", "joined emoji")
"""Kinds that are rare, or that no sum of classes can foresee."""

_RUSSIAN = """
Вчера вечером мы наконец закончили отчёт, и директор сразу отправил его заказчику.
Если сервер не отвечает, попробуйте перезапустить службу и посмотреть последние записи журнала.
Я не совсем понимаю, почему эта функция возвращает пустой список вместо ошибки.
Погода обещает быть тёплой, поэтому завтра поедем на дачу и посадим яблони.
Не могли бы вы объяснить разницу между этими двумя подходами простыми словами?
В начале девятнадцатого века город был небольшой крепостью на берегу широкой реки.
Для борща понадобятся свёкла, капуста, картофель, морковь, лук и немного говядины.
Приложение хранит всю переписку только на этом компьютере и никуда её не отправляет.
Она долго молчала, глядя в окно, а потом тихо сказала, что пора возвращаться домой.
Эта теорема утверждает, что любая непрерывная функция на отрезке достигает своего максимума.
Сначала установите пакет, затем откройте настройки и укажите адрес сервера.
Согласно договору, оплата производится в течение десяти рабочих дней после приёмки.
Мой младший брат учится в университете на третьем курсе и мечтает стать хирургом.
Запрос к базе данных выполняется слишком медленно, потому что нет подходящего индекса.
Спасибо за подробный ответ, теперь стало намного понятнее!
Учёные обнаружили, что температура воды в заливе за последние годы заметно выросла.
Переведите, пожалуйста, следующий абзац на английский язык, сохранив деловой стиль.
Поезд отправляется с четвёртого пути через пятнадцать минут, не забудьте билеты.
В таком случае лучше разделить задачу на несколько независимых частей.
Музей открыт ежедневно, кроме понедельника, с десяти утра до шести вечера.
Врач посоветовал больше гулять, меньше нервничать и раньше ложиться спать.
Ошибка возникает только при одновременной записи из двух разных потоков.
Старик медленно поднимался по лестнице, опираясь на тяжёлую деревянную трость.
Правительство опубликовало проект закона о поддержке малого предпринимательства.
Можно ли использовать этот метод, если данные содержат много пропущенных значений?
""".strip().splitlines()

_CHINESE = """
昨天晚上我们终于完成了报告，经理马上把它发给了客户。
如果服务器没有响应，请重新启动服务，然后查看最近的日志。
我不太明白为什么这个函数返回空列表而不是报错。
天气预报说明天会下雨，出门记得带上雨伞和外套。
能不能用简单的话解释一下这两种方法之间的区别？
十九世纪初，这座城市只是河边的一座小城堡，居民不到两千人。
做这道菜需要牛肉、土豆、胡萝卜、洋葱和一点酱油。
这个程序只把聊天记录保存在本机，不会上传到任何地方。
她沉默了很久，望着窗外，然后轻声说该回家了。
这个定理说明闭区间上的连续函数一定能取到最大值。
首先安装软件包，然后打开设置，填写服务器地址。
根据合同，款项应在验收后十个工作日内支付。
我弟弟在大学读三年级，他的梦想是当一名外科医生。
数据库查询太慢，是因为缺少合适的索引。
谢谢您详细的回答，现在清楚多了！
科学家发现，近几年海湾的水温明显升高。
请把下面这段话翻译成英文，并保持正式的语气。
火车十五分钟后从四号站台出发，别忘了带票。
在这种情况下，最好把任务分成几个独立的部分。
博物馆除星期一外每天开放，时间是上午十点到下午六点。
医生建议多散步，少熬夜，按时吃饭，保持心情愉快。
只有两个线程同时写入的时候才会出现这个错误。
老人拄着沉重的木拐杖，慢慢地走上楼梯。
政府公布了支持小型企业发展的法律草案。
如果数据里有很多缺失值，还能使用这种算法吗？
""".strip().splitlines()

_GEORGIAN = """
დღეს დილით ქალაქში ძლიერი წვიმა მოვიდა და ქუჩები დაცარიელდა.
გთხოვთ, ამიხსნათ განსხვავება ამ ორ მეთოდს შორის.
ჩემი და უნივერსიტეტში სწავლობს და ექიმობაზე ოცნებობს.
პროგრამა მიმოწერას მხოლოდ ამ კომპიუტერში ინახავს.
თუ სერვერი არ პასუხობს, სცადეთ სამსახურის გადატვირთვა.
მუზეუმი ღიაა ყოველდღე, ორშაბათის გარდა.
მატარებელი თხუთმეტ წუთში გადის მეოთხე ბაქნიდან.
""".strip().splitlines()

_THAI = """
เมื่อวานนี้เราทำรายงานเสร็จแล้วและส่งให้ลูกค้าทันที
ถ้าเซิร์ฟเวอร์ไม่ตอบสนองให้ลองเริ่มบริการใหม่อีกครั้ง
ช่วยอธิบายความแตกต่างระหว่างสองวิธีนี้ด้วยคำง่ายๆ ได้ไหม
พยากรณ์อากาศบอกว่าพรุ่งนี้ฝนจะตกหนักตลอดทั้งวัน
โปรแกรมนี้เก็บข้อความไว้ในเครื่องของคุณเท่านั้น
พิพิธภัณฑ์เปิดทุกวันยกเว้นวันจันทร์ตั้งแต่สิบโมงเช้า
น้องชายของฉันเรียนอยู่มหาวิทยาลัยปีที่สามและอยากเป็นหมอ
""".strip().splitlines()

_HINDI = """
कल शाम हमने रिपोर्ट पूरी कर ली और उसे ग्राहक को भेज दिया।
अगर सर्वर जवाब नहीं देता है तो सेवा को फिर से चालू करके देखिए।
क्या आप इन दोनों तरीकों के बीच का अंतर सरल शब्दों में समझा सकते हैं?
मौसम विभाग के अनुसार कल पूरे दिन तेज़ बारिश होगी।
यह कार्यक्रम आपकी बातचीत केवल इसी कंप्यूटर पर रखता है।
संग्रहालय सोमवार को छोड़कर हर दिन सुबह दस बजे खुलता है।
मेरा छोटा भाई विश्वविद्यालय में पढ़ता है और डॉक्टर बनना चाहता है।
""".strip().splitlines()

_COMMON_EMOJI = "😀😂🙏😭🎉🚀👍✅🔥😅👏💡✨😊🤔🙌😎💯🥳😍🌍📦🔧⚡📝🐛⭐🎯📈💻🍕🐶🌸☕🎵🚗🏠⏰📚🔒"
_JOINED_EMOJI = ("👨‍👩‍👧‍👦", "👩‍💻", "🏳️‍🌈", "👍🏽", "🤷🏻‍♀️", "🧑🏿‍🚀", "❤️", "👩🏾‍🍳", "🧑‍🤝‍🧑", "🇬🇪", "1️⃣")
_NAMES = (
    "name",
    "id",
    "created_at",
    "status",
    "items",
    "price",
    "currency",
    "owner",
    "tags",
    "enabled",
    "path",
    "size",
)
_WORDS = (
    *("active", "pending", "north", "invoice", "shipping", "editor", "Berlin", "monthly", "draft", "backup"),
    *("customer", "river", "garden", "light", "summary", "window", "primary", "delivery", "archive", "letter"),
)


class Texts:
    """A source of texts; the same seed gives the same texts."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._prose = _documentation()
        self._code = _sources()
        self._makers: dict[str, Callable[[int], str]] = {
            "English": lambda size: self._sentences(self._prose, size, " "),
            "code": self._lines_of_code,
            "JSON": self._records,
            "Russian": lambda size: self._sentences(_RUSSIAN, size, " "),
            "Chinese": lambda size: self._sentences(_CHINESE, size // 3, ""),
            "emoji": self._emoji,
            "Georgian": lambda size: self._sentences(_GEORGIAN, size, " "),
            "Thai": lambda size: self._sentences(_THAI, size, " "),
            "Hindi": lambda size: self._sentences(_HINDI, size, " "),
            "rare Han": lambda size: "".join(chr(self._chance.randrange(0x20000, 0x2A6D0)) for _ in range(size // 8)),
            "one character": lambda size: self._chance.choice("=-#*.~a0─") * size,
            "joined emoji": lambda size: "".join(self._chance.choice(_JOINED_EMOJI) for _ in range(max(4, size // 30))),
            "base64": lambda size: base64.b64encode(self._chance.randbytes(size * 3 // 4)).decode(),
            "UUIDs": lambda size: "\n".join(self._uuid() for _ in range(1 + size // 37)),
        }

    def text(self, kind: str, shortest: int = 80, longest: int = 3_000) -> str:
        """A text of one kind; its size is drawn evenly on a logarithmic scale, in characters of English."""
        return self._makers[kind](round(math.exp(self._chance.uniform(math.log(shortest), math.log(longest)))))

    def _sentences(self, source: list[str], size: int, between: str) -> str:
        made: list[str] = []
        length = 0
        while not made or length < size:
            made.append(self._chance.choice(source))
            length += len(made[-1])
            if self._chance.random() < 0.15:
                made[-1] += "\n\n"
        return between.join(made).rstrip()

    def _lines_of_code(self, size: int) -> str:
        lines = self._chance.choice(self._code)
        start = self._chance.randrange(max(1, len(lines) - 5))
        made: list[str] = []
        length = 0
        for line in lines[start:]:
            made.append(line)
            length += len(line) + 1
            if length >= size:
                break
        return "\n".join(made)

    def _records(self, size: int) -> str:
        indent = self._chance.choice((None, 2, 4))
        records: list[object] = []
        while len(made := json.dumps(records, indent=indent)) < size:
            names = self._chance.sample(_NAMES, self._chance.randint(3, 8))
            records.append({name: self._value(2) for name in names})
        return made

    def _value(self, depth: int) -> object:
        chance = self._chance
        makers: tuple[Callable[[], object], ...] = (
            lambda: chance.randrange(10 ** chance.randint(1, 9)),
            lambda: round(chance.uniform(0, 1_000), 2),
            lambda: chance.choice((True, False, None)),
            lambda: f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T08:{chance.randint(10, 59)}:00Z",
            lambda: " ".join(chance.sample(_WORDS, chance.randint(1, 4))),
            lambda: [self._value(depth - 1) for _ in range(chance.randint(1, 4))],
            lambda: {name: self._value(depth - 1) for name in chance.sample(_NAMES, 2)},
        )
        return chance.choice(makers if depth else makers[:5])()

    def _emoji(self, size: int) -> str:
        return "".join(
            self._chance.choice(_COMMON_EMOJI)
            if self._chance.random() < 0.85
            else chr(self._chance.randrange(0x1F600, 0x1F64F))
            for _ in range(max(8, size // 8))
        )

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128)))


def _documentation() -> list[str]:
    """Sentences of the language reference: only those that read as prose."""
    import pydoc_data.topics

    pages = "\n\n".join(pydoc_data.topics.topics.values())
    plain = re.sub(r"\s+", " ", re.sub(r"[*`]{1,2}", "", pages))
    sentences = re.split(r"(?<=[a-z)][.?!]) (?=[A-Z])", plain)
    return [sentence for sentence in sentences if 30 < len(sentence) < 300 and sentence.count("  ") == 0]


def _sources() -> list[list[str]]:
    """The lines of the standard library's larger modules."""
    folder = Path(sysconfig.get_path("stdlib"))
    files = [folder / Path(inspect.__file__).name, *sorted(folder.glob("*.py"))]
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    return [text.splitlines() for text in texts if len(text) > 20_000]
