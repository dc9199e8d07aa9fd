<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Ending</name>
    <message numerus="yes">
        <source>%1: %2, %3 of %n trial(s) ended, %4 with an error</source>
        <extracomment>%1 is the experiment&apos;s name, %2 its state, %3 and %4 are numbers of its %n trials</extracomment>
        <translation>
            <numerusform>%1: %2, %3 of %n trial ended, %4 with an error</numerusform>
            <numerusform>%1: %2, %3 of %n trials ended, %4 with an error</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more trial(s)</source>
        <extracomment>%n trials with an error have not been named</extracomment>
        <translation>
            <numerusform>and %n more trial</numerusform>
            <numerusform>and %n more trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Questions</name>
    <message numerus="yes">
        <source>%n trial(s) running for up to %1 would lose %2 of work since their last checkpoints; those that wait will not be started any more.</source>
        <translation>
            <numerusform>%n trial running for %1 would lose %2 of work since its last checkpoint; those that wait will not be started any more.</numerusform>
            <numerusform>%n trials running for up to %1 would lose %2 of work since their last checkpoints; those that wait will not be started any more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running trial(s) have written no checkpoint yet. Paused now, they would begin anew and lose %1 of work; else they pause after their first checkpoint.</source>
        <translation>
            <numerusform>%n running trial has written no checkpoint yet. Paused now, it would begin anew and lose %1 of work; else it pauses after its first checkpoint.</numerusform>
            <numerusform>%n running trials have written no checkpoint yet. Paused now, they would begin anew and lose %1 of work; else they pause after their first checkpoint.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::ExperimentPresenter</name>
    <message numerus="yes">
        <source>%1 of %n trial(s)</source>
        <extracomment>Progress of an experiment, such as &quot;5 of 8 trials&quot;</extracomment>
        <translation>
            <numerusform>%1 of %n trial</numerusform>
            <numerusform>%1 of %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) ended</source>
        <extracomment>Progress of an experiment whose number of trials is open</extracomment>
        <translation>
            <numerusform>%n trial ended</numerusform>
            <numerusform>%n trials ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <extracomment>How many trials ended with an error</extracomment>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::HostWorkPresenter</name>
    <message numerus="yes">
        <source>Would copy %n file(s) (%1)</source>
        <extracomment>Outcome of a sync; %1 is a size such as &quot;3.1 MiB&quot;</extracomment>
        <translation>
            <numerusform>Would copy %n file (%1)</numerusform>
            <numerusform>Would copy %n files (%1)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n file(s) (%1)</source>
        <translation>
            <numerusform>Copied %n file (%1)</numerusform>
            <numerusform>Copied %n files (%1)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unchanged</source>
        <extracomment>Part of a sync&apos;s outcome: so many files were alike already</extracomment>
        <translation>
            <numerusform>%n unchanged</numerusform>
            <numerusform>%n unchanged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to be removed</source>
        <extracomment>Part of a sync&apos;s outcome: so many files would be, or were, removed</extracomment>
        <translation>
            <numerusform>%n to be removed</numerusform>
            <numerusform>%n to be removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <extracomment>Part of a sync&apos;s outcome: so many files could not be copied</extracomment>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s) · %1</source>
        <extracomment>Of a forwarded port; %1 is a size such as &quot;3.1 MiB&quot;</extracomment>
        <translation>
            <numerusform>%n connection · %1</numerusform>
            <numerusform>%n connections · %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::NewExperimentPresenter</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <extracomment>Cost preview: how many trials the experiment will have</extracomment>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n at a time</source>
        <extracomment>Cost preview: how many trials run side by side</extracomment>
        <translation>
            <numerusform>%n at a time</numerusform>
            <numerusform>%n at a time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>up to %n iteration(s) each</source>
        <extracomment>Cost preview: largest training_iteration of a trial</extracomment>
        <translation>
            <numerusform>%n iteration each</numerusform>
            <numerusform>up to %n iterations each</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::WindowPresenter</name>
    <message numerus="yes">
        <source>%n node(s) · %1/%2 CPU</source>
        <extracomment>%2 of %3 processors are in use on %n machines</extracomment>
        <translation>
            <numerusform>%n node · %1/%2 CPU</numerusform>
            <numerusform>%n nodes · %1/%2 CPU</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::CurveChart</name>
    <message numerus="yes">
        <source>%n value(s) ≤ 0 not shown</source>
        <translation>
            <numerusform>%n value ≤ 0 not shown</numerusform>
            <numerusform>%n values ≤ 0 not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) diverged</source>
        <translation>
            <numerusform>%n trial diverged</numerusform>
            <numerusform>%n trials diverged</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::LogTab</name>
    <message numerus="yes">
        <source>%n hit(s), searching…</source>
        <translation>
            <numerusform>%n hit, searching…</numerusform>
            <numerusform>%n hits, searching…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::NewExperimentPage</name>
    <message numerus="yes">
        <source>%n place(s) to mend</source>
        <translation>
            <numerusform>%n place to mend</numerusform>
            <numerusform>%n places to mend</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::TrialDetails</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
</TS>
