# SPDX-License-Identifier: Apache-2.0
"""For each rule a small tree that breaks it, and the lines that the checker must then say."""

from __future__ import annotations

from dataclasses import dataclass, field

_TS = '''<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="{language}"><context><name>Page</name>{messages}</context></TS>
'''
_DONE = '<message><source>{0}</source><translation>x</translation></message>'
_OPEN = '<message><source>{0}</source><translation type="unfinished"></translation></message>'
_PAGE = '// \nstruct Page { Q_DECLARE_TR_FUNCTIONS(Page)\n auto text() { return tr("Start") + tr("Stop"); } };\n'


@dataclass(frozen=True)
class BadTree:
    files: dict[str, str]
    expected: list[str]
    links: str = ''
    # Headers of a make-believe Qt.
    qt_headers: list[str] = field(default_factory=list)


BAD_TREES: dict[str, BadTree] = {
    'layers_by_include': BadTree(
        {'core/search/a.cpp': '#include "core/model/trial.h"\n// #include "core/head/x.h"\n#include "core/storage/journal.h"\n',
         'core/client/a.h': '#include "core/model/trial.h"\n',
         'core/misc/a.h': '#include "core/base/error.h"\n',
         'core/model/a.cpp': '#include "trial.h"\n',
         'core/storage/ok.cpp': '#include "core/protocol/record.h"\n#include "a.moc"\n',
         'app/models/a.cpp': '#include "app/presenters/a.h"\n#include "core/client/client.h"\n',
         'app/main.cpp': '#include "app/views/window.h"\n#include "core/head/daemon.h"\n',
         'trainer/a.cpp': '#include "core/base/error.h"\n#include "core/engine/engine.h"\n'},
        ['app/main.cpp:2: app may not include core/head/daemon.h',
         'app/models/a.cpp:1: app/models may not include app/presenters/a.h',
         'core/client/a.h:1: core/client may not include core/model/trial.h',
         'core/misc/a.h:1: is in no layer of DESIGN',
         "core/model/a.cpp:1: includes trial.h, not from the project's root",
         'core/search/a.cpp:3: core/search may not include core/storage/journal.h',
         'trainer/a.cpp:2: trainer may not include core/engine/engine.h']),
    'layers_by_link': BadTree(
        {},
        ['CMakeLists.txt:1: the target trialdeck_misc belongs to no layer of DESIGN',
         'CMakeLists.txt:1: trialdeck may not link trialdeck::tuner',
         'CMakeLists.txt:1: trialdeck_app_models may not link trialdeck::app::views',
         'CMakeLists.txt:1: trialdeck_search may not link trialdeck::storage'],
        links='trialdeck_search trialdeck::model trialdeck::storage\ntrialdeck_app_models trialdeck::app::views Qt6::Core\n'
              'trialdeck trialdeck::app::views trialdeck::tuner\ntrialdeck_misc\nsomething_else trialdeck::head\n'),
    'core_without_qt': BadTree(
        {'core/base/a.cpp': '#include <QString>\n#include <string>\n', 'trainer/a.h': '#include <QtCore/QString>\n'},
        ['CMakeLists.txt:1: trialdeck_base links Qt6::Core',
         'core/base/a.cpp:1: includes QString of Qt',
         'trainer/a.h:1: includes QtCore/QString of Qt'],
        links='trialdeck_base Qt6::Core\ntrialdeck_app_text Qt6::Core\n'),
    'widgets_only_in_views': BadTree(
        {'app/presenters/a.h': '#include <QString>\n#include <QLabel>\n#include <QColor>\n',
         'app/models/a.h': '#include <QColor>\n#include <QtCharts/QChart>\n',
         'app/views/a.h': '#include <QLabel>\n',
         'app/main.cpp': '#include <QApplication>\n'},
        ['CMakeLists.txt:1: trialdeck_app_presenters links Qt6::Widgets',
         'app/models/a.h:1: includes QColor of QtGui',
         'app/models/a.h:2: includes QtCharts/QChart of QtCharts',
         'app/presenters/a.h:2: includes QLabel of QtWidgets'],
        links='trialdeck_app_presenters Qt6::Widgets\ntrialdeck_app_views Qt6::Widgets\n',
        qt_headers=['QtCore/QString', 'QtGui/QColor', 'QtWidgets/QLabel', 'QtWidgets/QApplication']),
    'search_and_schedule_are_pure': BadTree(
        {'core/search/a.cpp': '#include <vector>\n#include <fstream>\n#include "core/base/clock.h"\n',
         'core/schedule/a.h': '#include <thread>\n#include <sys/socket.h>\n',
         'core/tuner/a.cpp': '#include <thread>\n'},
        ['core/schedule/a.h:1: includes thread',
         'core/schedule/a.h:2: includes sys/socket.h',
         'core/search/a.cpp:2: includes fstream',
         'core/search/a.cpp:3: includes core/base/clock.h']),
    'concrete_names_in_roots': BadTree(
        {'core/engine/process/process_engine.h': 'class ProcessEngine final : public Engine {\n};\n',
         'core/transport/pipe.h': 'class PipeTransport : private A,\n    public transport::Transport {};\n',
         'core/tuner/loop.cpp': '// ProcessEngine\nvoid f() {\n    ProcessEngine engine;\n}\n',
         'core/ctl/session.cpp': 'PipeTransport t;\n',
         'core/head/main.cpp': 'ProcessEngine engine;\n'},
        ['core/ctl/session.cpp:1: names PipeTransport, which only a composition root may',
         'core/tuner/loop.cpp:3: names ProcessEngine, which only a composition root may']),
    'spdx_lines': BadTree(
        {'core/a.cpp': '// SPDX-License-Identifier: Apache-2.0\n', 'core/b.cpp': '#include <vector>\n',
         'tests/run': '#!/usr/bin/env bash\n# SPDX-License-Identifier: Apache-2.0\n', 'a.py': '#!/usr/bin/env python3\n\n',
         'CMakeLists.txt': '# SPDX-License-Identifier: MIT\n'},
        ['CMakeLists.txt:1: does not begin with its SPDX line',
         'a.py:1: does not begin with its SPDX line',
         'core/b.cpp:1: does not begin with its SPDX line']),
    'file_sizes': BadTree(
        {'core/a.cpp': 'int x;\n' * 600, 'core/b.cpp': 'int x;\n' * 601, 'notes.txt': 'x\n' * 700},
        ['core/b.cpp:601: has 601 lines, more than 600']),
    'function_sizes': BadTree(
        {'core/a.cpp': 'namespace a {\nint whole() {\n' + '    f("}");\n' * 78 + '}\nA::A(int x)\n    : m_x{x}, m_y(1), m_z{2} {\n'
                       + '    if (x) { f(); }\n' * 78 + '}\nconst std::map<int, int> kTable = {\n' + '    {f(1), 2},\n' * 90 + '};\n}\n',
         'a.py': 'def whole():\n' + '    f()\n' * 79 + 'class A:\n    def long(self):\n' + '        f()\n' * 80},
        ['a.py:82: long() has 81 lines, more than 80',
         'core/a.cpp:82: A::A() has 81 lines, more than 80']),
    'top_level': BadTree(
        {'core/a.cpp': '', 'README.md': '', 'notes.txt': '', 'scripts/a.sh': ''},
        ['notes.txt:1: does not belong to the top level', 'scripts:1: does not belong to the top level']),
    'machine_paths': BadTree(
        {'core/a.cpp': '"/usr/share/x"\n"/wo' 'rk/x"\nframe/wo' 'rk/x\n', 'packaging/run': 'cd /ho' 'me/me/x\n',
         'tests/a.cpp': '"/ho' 'me/ada/x"\n'},
        ['core/a.cpp:2: has the machine\'s path /wo' 'rk/x', 'packaging/run:1: has the machine\'s path /ho' 'me/me/x']),
    'no_sleeps': BadTree(
        {'core/a.cpp': 'void f() {\n    // sleep(1)\n    std::this_thread::sleep_for(1s);\n}\n', 'tests/b.cpp': 'QTest::qWait(5);\n',
         'a.py': 'import time\ntime.sleep(1)\n', 'a.sh': 'true\nsleep 5\n# asleep\n'},
        ['a.py:2: sleeps: sleep(', 'a.sh:2: sleeps: sleep 5', 'core/a.cpp:3: sleeps: sleep_for(', 'tests/b.cpp:1: sleeps: qWait(']),
    'no_singletons': BadTree(
        {'core/a.cpp': 'A& A::instance() {\n    static A only;\n    return only;\n}\n',
         'core/b.cpp': 'const A& a() {\n    static const A table{1};\n    return table;\n}\n'},
        ['core/a.cpp:1: reaches for a singleton: instance(', 'core/a.cpp:2: shares the static only']),
    'translation_only_in_app': BadTree(
        {'core/a.cpp': 'auto a = tr("x");\nauto b = str("x") + attr(1) + "tr(";\n', 'app/a.cpp': 'auto a = tr("x");\n'},
        ['core/a.cpp:1: translates: tr(']),
    'plain_names': BadTree(
        {'core/base/string_utils.h': '', 'core/base/a.h': '// a helper\nclass SessionManager {\n};\n'},
        ['core/base/a.h:2: SessionManager says nothing', 'core/base/string_utils.h:1: has a name that says nothing']),
    'nothing_unfinished': BadTree(
        {'core/a.cpp': 'int x; // TO' 'DO\nint TODOS;\n', 'packaging/a.sh': '# FIX' 'ME later\n'},
        ['core/a.cpp:1: has a TO' 'DO', 'packaging/a.sh:1: has a FIX' 'ME']),
    'translations_are_finished': BadTree(
        {'app/page.h': _PAGE, 'translations/trialdeck_zh_CN.ts': _TS.format(
            language='zh_CN', messages=_DONE.format('Start') + _OPEN.format('Stop'))},
        ['translations/trialdeck_en.ts:1: is missing', 'translations/trialdeck_zh_CN.ts:1: Page: "Stop" is not translated']),
    'translations_are_current': BadTree(
        {'app/page.h': _PAGE, 'translations/trialdeck_zh_CN.ts': _TS.format(
            language='zh_CN', messages=_DONE.format('Start') + _DONE.format('Go')),
         'translations/trialdeck_en.ts': _TS.format(language='en', messages='')},
        ['translations/trialdeck_zh_CN.ts:1: Page: "Go" is said nowhere',
         'translations/trialdeck_zh_CN.ts:1: Page: "Stop" is missing']),
}
