import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { SettingsForm, useSaveForm } from '@/components/app/save'
import { Select } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { admissionDates, daysOfMonth, firstOutOfOrder, withPart } from '@/lib/interest/cohort'
import { monthNames } from '@/lib/time/format-date'

type CycleFormProps = { saved: AdmissionCycle; onSaved: (cycle: AdmissionCycle) => void }

export function CycleForm({ saved, onSaved }: CycleFormProps) {
  const t = useTranslations('work.cycle')
  const locale = useLocale()
  const [cycle, setCycle] = useState(saved)
  const wrong = firstOutOfOrder(cycle)
  const saving = useSaveForm({
    values: cycle,
    send: (body) => api('PUT /api/admission-cycle', { body }),
    done: t('saved'),
    onSaved,
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} disabled={wrong !== null}>
      <ol>
        {admissionDates.map((name) => {
          const label = t(`date.${name}`)
          const [month = 1, day = 1] = cycle[name].split('-').map(Number)
          const days = Array.from({ length: daysOfMonth[month - 1] ?? 31 }, (_, index) => String(index + 1))
          const parts = { day: { names: days, value: day }, month: { names: monthNames(locale), value: month } }
          return (
            <li key={name} className="border-b border-line-soft last:border-b-0">
              <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
                <div className="min-w-[min(12rem,100%)] flex-1">
                  <p className="text-sm font-medium">{label}</p>
                  <p id={`cycle-${name}`} className={name === wrong ? 'text-xs text-danger' : 'text-xs text-mute'}>
                    {name === wrong ? t('order') : t(`hint.${name}`)}
                  </p>
                </div>
                <div className="flex max-w-full flex-wrap gap-2">
                  {(['day', 'month'] as const).map((part) => (
                    <Select
                      key={part}
                      aria-invalid={name === wrong || undefined}
                      aria-describedby={`cycle-${name}`}
                      aria-label={`${label}: ${t(part)}`}
                      value={parts[part].value}
                      options={parts[part].names.map((text, index) => [String(index + 1), text])}
                      onChoose={(chosen) =>
                        setCycle({ ...cycle, [name]: withPart(cycle[name], { [part]: Number(chosen) }) })
                      }
                      className={part === 'day' ? 'tabular min-w-18' : 'min-w-36'}
                    />
                  ))}
                </div>
              </div>
            </li>
          )
        })}
      </ol>
    </SettingsForm>
  )
}
