"""Results of MOSS, JPlag and Dolos, as these write them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.tables import texts_of

Files = dict[str, Any]

HOSTILE = '<script>x</script>"\x1b[31m\u202e'


def at_line(line: int) -> dict[str, int]:
    return {"line": line, "column": 0, "tokenListIndex": 5}


JPLAG: Files = {
    "runInformation.json": {
        "version": {"major": 6, "minor": 2, "patch": 0},
        "failedSubmissions": [{"submissionId": "dan", "submissionState": "CANNOT_PARSE"}],
        "dateOfExecution": "2025-08-30",
        "totalComparisons": 3,
    },
    "options.json": {
        "language": "java",
        "minimumTokenMatch": 9,
        "baseCodeSubmissionDirectory": "given",
    },
    "submissionMappings.json": {
        "submissionIds": {"A": "ada", "B": "ben", "C": "cy"},
        "submissionIdsToComparisonFileName": {"A": {"B": "x.json"}, "B": {"A": "x.json"}},
    },
    "submissionFileIndex.json": {
        "fileIndexes": {
            "A": {"A/Main.java": {"tokenCount": 144}, "A/Bay.java": {"tokenCount": 6}},
            "B": {"B/Main.java": {"tokenCount": 72}},
        }
    },
    "topComparisons.json": [
        {"firstSubmission": "A", "secondSubmission": "C", "similarities": {"AVG": 0.25}},
        {"firstSubmission": "A", "secondSubmission": "B", "similarities": {"AVG": 0.75}},
    ],
    # The sides are the other way round here than in the list.
    "comparisons/x.json": {
        "firstSubmissionId": "B",
        "secondSubmissionId": "A",
        "similarities": {"AVG": 0.75},
        "firstSimilarity": 1.0,
        "secondSimilarity": 0.5,
        "matches": [
            {"firstFileName": "B/Main.java", "secondFileName": "A/Main.java", "tokens": 60}
            | {"startInFirst": at_line(7), "endInFirst": at_line(45)}
            | {"startInSecond": at_line(3), "endInSecond": at_line(41)},
            {"firstFileName": "B/Main.java", "secondFileName": "A/Main.java", "tokens": 12}
            | {"startInFirst": at_line(1), "endInFirst": at_line(2)}
            | {"startInSecond": at_line(1), "endInSecond": at_line(2)},
        ],
    },
    "files/A/A/Main.java": "class Main {}",
    "files/A/package.json": "[[[",
}


def written(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write files to a folder; what is not text is written as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return folder


PAIRS = (
    "id,leftFileId,leftFilePath,rightFileId,rightFilePath,similarity,totalOverlap,"
    "longestFragment,leftCovered,rightCovered\n"
    "7,1,/srv/x/ada/q.py,2,/srv/x/ben/q.py,0.75,60,30,20,40\n"
    "8,1,/srv/x/ada/q.py,3,/srv/x/cy/q.py,0.25,10,5,5,5\n"
    "9,1,/srv/x/ada/q.py,4,/srv/x/stub.py,1,10,5,5,5\n"
    "10,2,/srv/x/ben/q.py,3,/srv/x/cy/q.py,0,0,0,0,0\n"
)

FILES = (
    "id,ignored,path,content,amountOfKgrams,ast,mapping,extra\n"
    '1,false,/srv/x/ada/q.py,"print(""a,b"")\nx",40,[],[],'
    '"{""fullName"":""Ada L"",""labels"":""monday"",""createdAt"":""2024-03-01T10:00:00.000Z""}"\n'
    f'2,false,/srv/x/ben/q.py,"{"y" * 200_000}",40,[],[],{{}}\n'
    "3,false,/srv/x/cy/q.py,z,10,[],[],[\n"
    "4,true,/srv/x/stub.py,z,10,[],[],{}\n"
)

METADATA = (
    "property,value,type\nlanguage,python,string\nkgramLength,23,number\nkgramsInWindow,17,number\n"
    "reportName,sheet 3,string\ncreatedAt,2024-03-02T09:00:00.000Z,string\nsortBy,null,object\n"
)

DOLOS: Files = {"pairs.csv": PAIRS, "files.csv": FILES, "metadata.csv": METADATA}


URL = "http://moss.stanford.edu/results/92903586"


INDEX = texts_of("programs")["INDEX"]
