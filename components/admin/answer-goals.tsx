import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Select } from '@/components/ui/field'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { useSaveWork } from './save-work'
import { WorkSection } from './work-section'

type AnswerGoalsProps = { settings: WorkSettings; onSaved: (settings: WorkSettings) => void }

const MOST_OFFERED = 10

/** Within how many working days each kind of lead is to be answered. */
export function AnswerGoals({ settings, onSaved }: AnswerGoalsProps) {
  const t = useTranslations('work.goals')
  const [goals, setGoals] = useState(settings.goals)
  const { busy, save } = useSaveWork(onSaved)
  return (
    <WorkSection
      title={t('title')}
      lead={t('lead')}
      save={t('save')}
      busy={busy}
      disabled={LEAD_KINDS.every((kind) => goals[kind] === settings.goals[kind])}
      onSave={() => void save({ goals })}
    >
      {LEAD_KINDS.map((kind) => (
        <label
          key={kind}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 text-sm font-medium last:border-b-0"
        >
          {t(kind)}
          <Select
            value={goals[kind] ?? ''}
            onChange={({ target: { value } }) => setGoals({ ...goals, [kind]: value === '' ? null : Number(value) })}
            className="tabular min-w-[min(12rem,100%)]"
          >
            <option value="">{t('none')}</option>
            {offered(goals[kind]).map((days) => (
              <option key={days} value={days}>
                {t('days', { count: days })}
              </option>
            ))}
          </Select>
        </label>
      ))}
    </WorkSection>
  )
}

/** The usual numbers, and the one that was set by script. */
function offered(chosen: number | null): number[] {
  const usual = Array.from({ length: MOST_OFFERED }, (_, index) => index + 1)
  return chosen === null || usual.includes(chosen) ? usual : [...usual, chosen]
}
