import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { Select } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { type AdmissionDateName, ADMISSION_DATES, findDateOutOfOrder } from '@/lib/interest/cohort'
import { DAYS_OF_MONTH, formatMonthDay } from '@/lib/time/month-day'
import { listMonthNames } from '@/lib/time/format-date'

type CycleFormProps = { savedCycle: AdmissionCycle; onSaved: (cycle: AdmissionCycle) => void }

/** Sets the dates of the admission, each later than the one before. */
export function CycleForm({ savedCycle, onSaved }: CycleFormProps) {
  const t = useTranslations('work.cycle')
  const [cycle, setCycle] = useState(savedCycle)
  const wrongDate = findDateOutOfOrder(cycle)
  const saving = useSaveForm({
    values: cycle,
    send: (body) => api('PUT /api/admission-cycle', { body }),
    successMessage: t('saved'),
    onSaved,
  })
  const isSavable = wrongDate === null && saving.isUnsaved
  return (
    <SettingsForm saving={saving} title={t('title')} intro={t('intro')} disabled={!isSavable}>
      <ol>
        {ADMISSION_DATES.map((name) => (
          <DateRow
            key={name}
            name={name}
            date={cycle[name]}
            isWrong={name === wrongDate}
            onChange={(date) => setCycle({ ...cycle, [name]: date })}
          />
        ))}
      </ol>
    </SettingsForm>
  )
}

type DateRowProps = { name: AdmissionDateName; date: string; isWrong: boolean; onChange: (date: string) => void }

/** Sets a date `MM-dd` by two menus, because a date field would ask for a year, too. */
function DateRow({ name, date, isWrong, onChange }: DateRowProps) {
  const t = useTranslations('work.cycle')
  const locale = useLocale()
  const label = t(`date.${name}`)
  const [month = 1, day = 1] = date.split('-').map(Number)
  const days = Array.from({ length: DAYS_OF_MONTH[month - 1] ?? 31 }, (_, index) => String(index + 1))
  const ariaProps = { 'aria-invalid': isWrong || undefined, 'aria-describedby': `cycle-${name}` }
  return (
    <li className="card-row min-w-0">
      <div className="min-w-[min(12rem,100%)] flex-1">
        <p className="text-sm font-medium">{label}</p>
        <p id={`cycle-${name}`} className={isWrong ? 'text-xs text-danger' : 'text-xs text-mute'}>
          {isWrong ? t('order') : t(`hint.${name}`)}
        </p>
      </div>
      <div className="flex max-w-full flex-wrap gap-2">
        <Select
          {...ariaProps}
          aria-label={`${label}: ${t('day')}`}
          value={String(day)}
          options={days.map((text) => [text, text])}
          onChoose={(chosen) => onChange(formatMonthDay(month, Number(chosen)))}
          className="tabular min-w-18"
        />
        <Select
          {...ariaProps}
          aria-label={`${label}: ${t('month')}`}
          value={String(month)}
          options={listMonthNames(locale).map((text, index) => [String(index + 1), text])}
          onChoose={(chosen) => onChange(formatMonthDay(Number(chosen), day))}
          className="min-w-36"
        />
      </div>
    </li>
  )
}
