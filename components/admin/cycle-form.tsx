import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Select } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { admissionDates, daysOfMonth, firstOutOfOrder, withPart } from '@/lib/interest/cohort'
import { monthNames } from '@/lib/time/format-date'

type CycleFormProps = { saved: AdmissionCycle; onSaved: (cycle: AdmissionCycle) => void }

export function CycleForm({ saved, onSaved }: CycleFormProps) {
  const t = useTranslations('work.cycle')
  const [cycle, setCycle] = useState(saved)
  const wrong = firstOutOfOrder(cycle)
  const saving = useSaveForm({
    values: cycle,
    send: (body) => api('PUT /api/admission-cycle', { body }),
    done: t('saved'),
    onSaved,
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')} disabled={wrong !== null}>
      <ol>
        {admissionDates.map((name) => (
          <CycleDateField
            key={name}
            label={t(`date.${name}`)}
            hint={t(`hint.${name}`)}
            error={name === wrong ? t('order') : null}
            value={cycle[name]}
            onChange={(date) => setCycle({ ...cycle, [name]: date })}
          />
        ))}
      </ol>
    </SettingsForm>
  )
}

type CycleDateFieldProps = {
  label: string
  hint: string
  error: string | null
  /** `MM-dd`. */
  value: string
  onChange: (date: string) => void
}

function CycleDateField({ label, hint, error, value, onChange }: CycleDateFieldProps) {
  const t = useTranslations('work.cycle')
  const locale = useLocale()
  const noteId = useId()
  const [month = 1, day = 1] = value.split('-').map(Number)
  const chosen = { day, month }
  const days = Array.from({ length: daysOfMonth[month - 1] ?? 31 }, (_, index) => String(index + 1))
  const names = { day: days, month: monthNames(locale) }
  return (
    <li className="border-b border-line-soft last:border-b-0">
      <fieldset className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <legend className="sr-only">{label}</legend>
        <div className="min-w-[min(12rem,100%)] flex-1">
          <p aria-hidden="true" className="text-sm font-medium">
            {label}
          </p>
          <p id={noteId} className={error === null ? 'text-xs text-mute' : 'text-xs text-danger'}>
            {error ?? hint}
          </p>
        </div>
        <div className="flex max-w-full flex-wrap gap-2">
          {(['day', 'month'] as const).map((part) => (
            <Select
              key={part}
              aria-invalid={error !== null || undefined}
              aria-describedby={noteId}
              aria-label={`${label}: ${t(part)}`}
              value={chosen[part]}
              options={names[part].map((name, index) => [String(index + 1), name])}
              onChoose={(chosenPart) => onChange(withPart(value, { [part]: Number(chosenPart) }))}
              className={part === 'day' ? 'tabular min-w-18' : 'min-w-36'}
            />
          ))}
        </div>
      </fieldset>
    </li>
  )
}
