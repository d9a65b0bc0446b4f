'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/page-header'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { admissionDates, daysOfMonth, firstOutOfOrder, withPart } from '@/lib/interest/cycle-days'
import { monthNames } from '@/lib/time/format-date'

type CycleScreenProps = { saved: AdmissionCycle; usual: AdmissionCycle }

/** The dates of the admission, which the page about interest counts and draws by. */
export function CycleScreen({ saved, usual }: CycleScreenProps) {
  const t = useTranslations('interest.cycle')
  const [cycle, setCycle] = useState(saved)
  const [busy, setBusy] = useState(false)
  const wrong = firstOutOfOrder(cycle)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (wrong !== null) return
    setBusy(true)
    try {
      await api('PUT /api/admission-cycle', { body: cycle })
      toast(t('saved'))
    } catch {
      toast(t('failed'), { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} />
      <form
        onSubmit={(event) => void save(event)}
        className="max-w-2xl rounded-lg border border-line bg-panel shadow-card"
      >
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
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line-soft p-3">
          <Button variant="ghost" onClick={() => setCycle(usual)}>
            {t('usual')}
          </Button>
          <Button variant="primary" type="submit" busy={busy} disabled={wrong !== null}>
            {t('save')}
          </Button>
        </div>
      </form>
    </div>
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

/** A day of every year: its day and its month. */
function CycleDateField({ label, hint, error, value, onChange }: CycleDateFieldProps) {
  const t = useTranslations('interest.cycle')
  const locale = useLocale()
  const noteId = useId()
  const [month = 1, day = 1] = value.split('-').map(Number)
  const field = { 'aria-invalid': error !== null ? (true as const) : undefined, 'aria-describedby': noteId }
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
          <Select
            {...field}
            aria-label={`${label}: ${t('day')}`}
            value={day}
            onChange={(event) => onChange(withPart(value, { day: Number(event.target.value) }))}
            className="tabular min-w-18"
          >
            {Array.from({ length: daysOfMonth[month - 1] ?? 31 }, (_, index) => (
              <option key={index + 1} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </Select>
          <Select
            {...field}
            aria-label={`${label}: ${t('month')}`}
            value={month}
            onChange={(event) => onChange(withPart(value, { month: Number(event.target.value) }))}
            className="min-w-36"
          >
            {monthNames(locale).map((name, index) => (
              <option key={name} value={index + 1}>
                {name}
              </option>
            ))}
          </Select>
        </div>
      </fieldset>
    </li>
  )
}
