import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, focusOnOpening, rowButtonClass } from '@/components/ui/dialog'
import { Input } from '@/components/ui/field'
import type { LeadItem } from '@/lib/api/leads'
import { listFollowUpDays, findLastFollowUpDay } from '@/lib/inbox/follow-up-days'
import { findDisplayName } from '@/lib/inbox/lead-text'
import { formatWeekdayDate } from '@/lib/time/format-date'
import { addDays, toStockholmDay } from '@/lib/time/stockholm'
import { useStartOfToday } from './clock'

type SnoozeDialogProps = {
  count: number
  item?: LeadItem | undefined
  onChoose: (day: string) => void
  onClose: () => void
}

export function SnoozeDialog({ count, item, onChoose, onClose }: SnoozeDialogProps) {
  const t = useTranslations('putAside')
  const locale = useLocale()
  const dayInputId = useId()
  const today = toStockholmDay(useStartOfToday())
  const [otherDay, setOtherDay] = useState('')
  const name = item && findDisplayName(item)
  const choose = (day: string) => {
    onClose()
    onChoose(day)
  }
  const submitOtherDay = (event: FormEvent) => {
    event.preventDefault()
    choose(otherDay)
  }
  return (
    <Dialog onClose={onClose} title={name ? t('titleOne', { name }) : t('title', { count })} shape="sheet">
      <div className="flex min-h-0 flex-auto flex-col gap-3 overflow-y-auto px-5 pt-1 pb-5 scroll-thin low:overflow-visible">
        <ul className="-mx-3 flex flex-col">
          {listFollowUpDays(today).map(({ kind, day }, index) => (
            <li key={kind}>
              <button
                ref={index === 0 ? focusOnOpening : undefined}
                type="button"
                onClick={() => choose(day)}
                className={rowButtonClass}
              >
                <span className="min-w-0 flex-1 font-medium">{t(kind)}</span>
                <span className="tabular text-mute">{formatWeekdayDate(day, today, locale)}</span>
              </button>
            </li>
          ))}
        </ul>
        <form
          onSubmit={submitOtherDay}
          className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line-soft pt-3"
        >
          <label htmlFor={dayInputId} className="flex-1 text-sm font-medium">
            {t('other')}
          </label>
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="w-40 max-w-full">
              <Input
                id={dayInputId}
                type="date"
                min={addDays(today, 1)}
                max={findLastFollowUpDay(today)}
                value={otherDay}
                required
                onChange={({ target }) => setOtherDay(target.value)}
              />
            </span>
            <Button text={t('choose')} type="submit" />
          </span>
        </form>
        <p className="text-xs text-pretty text-mute">{t('hint')}</p>
      </div>
    </Dialog>
  )
}
