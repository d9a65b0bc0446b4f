import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { type RefObject, useId, useRef, useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { useSave } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { latestReturn } from '@/lib/contract/limits'
import { weekdayAndDate } from '@/lib/time/format-date'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { AccountSection } from './account-section'

const ownLeave = apiQuery('GET /api/account/leave')

export function LeaveSection() {
  const t = useTranslations('handOver.leave')
  const locale = useLocale()
  const client = useQueryClient()
  const today = stockholmDay(useToday())
  const { data } = useQuery(ownLeave)
  const saving = useSave({
    send: (day: string | null) => api('PUT /api/account/leave', { body: { until: day } }),
    done: t('saved'),
    // Said under the form.
    failed: () => null,
    refresh: 'GET /api/people',
    onSaved: (leave) => client.setQueryData(ownLeave.queryKey, leave),
  })
  const until = data?.until ?? null
  const field = useRef<HTMLInputElement>(null)
  /** The button that was pressed goes away or rests, and must not take the focus with it. */
  const save = (day: string | null) => {
    saving.save(day)
    field.current?.focus()
  }
  return (
    <AccountSection id="leave" title={t('title')} hint={t('hint')}>
      <div className="flex max-w-md flex-col gap-3 rounded-lg border border-line bg-panel p-4 shadow-card">
        {data !== undefined && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 text-sm">
              {until === null ? t('none') : t('until', { day: weekdayAndDate(until, today, locale) })}
            </p>
            {until !== null && (
              <Button size="sm" busy={saving.busy} onClick={() => save(null)}>
                {t('end')}
              </Button>
            )}
          </div>
        )}
        <LeaveForm isBusy={saving.busy} field={field} onSave={save} />
        <ProblemText text={saving.error && t('failed')} />
      </div>
    </AccountSection>
  )
}

type LeaveFormProps = { isBusy: boolean; field: RefObject<HTMLInputElement | null>; onSave: (until: string) => void }

function LeaveForm({ isBusy, field, onSave }: LeaveFormProps) {
  const t = useTranslations('handOver.leave')
  const id = useId()
  const today = stockholmDay(useToday())
  const latest = latestReturn(today)
  const [day, setDay] = useState('')
  const isPossible = day > today && day <= latest
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPossible) return
        onSave(day)
        setDay('')
      }}
      className="flex flex-wrap items-center gap-x-3 gap-y-2"
    >
      <label htmlFor={id} className="text-sm font-medium">
        {t('back')}
      </label>
      <span className="w-40 max-w-full">
        <Input
          ref={field}
          id={id}
          type="date"
          min={addDays(today, 1)}
          max={latest}
          value={day}
          required
          onChange={(event) => setDay(event.target.value)}
        />
      </span>
      <Button type="submit" disabled={!isPossible} busy={isBusy}>
        {t('save')}
      </Button>
    </form>
  )
}
