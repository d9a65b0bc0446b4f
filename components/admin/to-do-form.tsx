import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useStartOfToday } from '@/components/app/clock'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { SelectField, TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { AdmissionCycle, AnswerGoals, WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { findAdmissionYear, findDefaultCohort } from '@/lib/interest/cohort'
import { formatDate } from '@/lib/time/format-time'
import { formatIsoDay, toStockholmDay } from '@/lib/time/stockholm'

const PRESET_NAMES = ['today', 'year', 'all'] as const
const CHOICES = [...PRESET_NAMES, 'own'] as const

type Draft = { choice?: (typeof CHOICES)[number]; ownDay?: string; goals?: AnswerGoals }

/** Sets from which day leads count as work, and in how many working days they are to be answered. */
export function ToDoForm({ initialSettings, cycle }: { initialSettings: WorkSettings; cycle: AdmissionCycle }) {
  const t = useTranslations('work.toDo')
  const savedText = useTranslations('work')('saved')
  const locale = useLocale()
  const [savedSettings, setSavedSettings] = useState(initialSettings)
  // The draft holds only what the user has changed. The rest is derived, because "today" changes at midnight.
  const [draft, setDraft] = useState<Draft>({})
  const today = toStockholmDay(useStartOfToday())
  const cohort = findDefaultCohort(today, cycle)
  const seasonStart = formatIsoDay(findAdmissionYear(cohort, cycle).firstDay)
  const presetDays = { today, year: seasonStart, all: null }
  const { work } = savedSettings
  const savedChoice = work === null ? 'today' : (PRESET_NAMES.find((name) => presetDays[name] === work.from) ?? 'own')
  const { choice = savedChoice, ownDay = work?.from ?? '', goals = savedSettings.goals } = draft
  const firstDay = { ...presetDays, own: ownDay }[choice]
  const isFirstDayValid = choice !== 'own' || (ownDay !== '' && ownDay <= today)
  const changes: WorkSettingsChange = {}
  if (work?.from !== firstDay) changes.work = { from: firstDay }
  if (LEAD_KINDS.some((kind) => goals[kind] !== savedSettings.goals[kind])) changes.goals = goals
  const saving = useSaveForm({
    values: changes,
    send: (body) => api('PATCH /api/settings', { body }),
    successMessage: savedText,
    // All is fetched again, because rows and numbers everywhere in this tab depend on the settings.
    invalidate: 'all',
    onSaved: (settings) => {
      setSavedSettings(settings)
      setDraft({})
    },
  })
  const formatLongDate = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints: Partial<Record<typeof choice, string>> = {
    today: formatLongDate(today),
    year: t('yearHint', { day: formatLongDate(seasonStart) }),
    all: t('allHint', { year: String(cohort) }),
  }
  // Ten days are offered, or more if a caller of the API has set a larger goal.
  const maxGoalDays = Math.max(10, ...Object.values(savedSettings.goals).map(Number))
  const dayOptions = Array.from({ length: maxGoalDays }, (_, index) => {
    return [String(index + 1), t('days', { count: index + 1 })] as const
  })
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      intro={t(work === null ? 'introNever' : 'intro')}
      disabled={!isFirstDayValid || Object.keys(changes).length === 0}
    >
      <div className="grid items-start gap-4 px-4 py-3 sm:grid-cols-2">
        <SelectField
          label={t('from')}
          hint={hints[choice]}
          value={choice}
          options={CHOICES.map((name) => [name, t(`choice.${name}`)])}
          onChoose={(chosen) => setDraft({ ...draft, choice: chosen })}
        />
        {choice === 'own' && (
          <TextField
            type="date"
            label={t('ownDay')}
            error={ownDay > today ? t('inFuture') : undefined}
            value={ownDay}
            max={today}
            onChange={({ target }) => setDraft({ ...draft, ownDay: target.value })}
          />
        )}
        {LEAD_KINDS.map((kind) => (
          <SelectField
            key={kind}
            label={t(`goal.${kind}`)}
            value={String(goals[kind] ?? '')}
            options={[['', t('noGoal')], ...dayOptions]}
            onChoose={(days) => setDraft({ ...draft, goals: { ...goals, [kind]: days === '' ? null : Number(days) } })}
            className="tabular"
          />
        ))}
      </div>
    </SettingsForm>
  )
}
