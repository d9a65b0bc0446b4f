import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Input } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { Choice } from './school-field'
import { api } from '@/lib/api/call'
import type { AdmissionCycle, WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { cycleDate, defaultCohort } from '@/lib/interest/cohort'
import { formatDate } from '@/lib/time/format-time'
import { dayText, stockholmDay } from '@/lib/time/stockholm'

/** A form for some of the settings of the work. Rows and numbers change with them, in this tab at once. */
export function useSaveWork(values: WorkSettingsChange, onSaved: (settings: WorkSettings) => void) {
  const t = useTranslations('work')
  return useSaveForm({
    values,
    send: (body) => api('PATCH /api/settings', { body }),
    done: t('saved'),
    refresh: 'all',
    onSaved,
  })
}

export type WorkPartProps = { settings: WorkSettings; onSaved: (settings: WorkSettings) => void }

const CHOICES = ['today', 'year', 'all', 'own'] as const

export function WorkFrom({ settings: { work }, cycle, onSaved }: WorkPartProps & { cycle: AdmissionCycle }) {
  const t = useTranslations('work.from')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  const cohort = defaultCohort(today, cycle)
  const year = dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1)
  const usual = { today, year, all: null }
  const isOwn = work !== null && ![today, year, null].includes(work.from)
  const saved = isOwn ? 'own' : (['all', 'today', 'year'] as const).find((name) => usual[name] === work?.from)
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>(saved ?? 'today')
  const [own, setOwn] = useState(isOwn ? (work.from ?? '') : '')
  const days = { ...usual, own }
  const from = days[choice]
  const saving = useSaveWork({ work: { from } }, onSaved)
  const isPossible = choice !== 'own' || (own !== '' && own <= today)
  const longDate = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints = {
    today: longDate(today),
    year: t('yearHint', { day: longDate(year) }),
    all: t('allHint', { year: String(cohort) }),
    own: t('ownHint'),
  }
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      lead={t(work === null ? 'leadNever' : 'lead')}
      save={t('save')}
      disabled={!isPossible || work?.from === from}
    >
      <fieldset>
        <legend className="sr-only">{t('title')}</legend>
        {CHOICES.map((name) => (
          <div key={name} className="border-b border-line-soft last:border-b-0">
            <Choice
              group="work-from"
              label={t(`choice.${name}`)}
              hint={hints[name]}
              isChosen={choice === name}
              onChoose={() => setChoice(name)}
            />
            {name === 'own' && choice === name && <OwnDay day={own} latest={today} onDay={setOwn} />}
          </div>
        ))}
      </fieldset>
    </SettingsForm>
  )
}

function OwnDay({ day, latest, onDay }: { day: string; latest: string; onDay: (day: string) => void }) {
  const t = useTranslations('work.from')
  return (
    <div className="pr-3 pb-3 pl-10">
      <Input
        type="date"
        aria-label={t('ownDay')}
        value={day}
        max={latest}
        onChange={({ target }) => onDay(target.value)}
        className="max-w-44"
      />
      <ProblemText text={day > latest ? t('inFuture') : null} />
    </div>
  )
}
