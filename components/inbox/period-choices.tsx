import { useTranslations } from 'next-intl'
import { useToday } from '@/components/app/clock'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { PERIOD_PRESETS, periodOf, presetOf } from '@/lib/inbox/filter-states'
import { stockholmDay } from '@/lib/time/stockholm'
import type { InboxState } from './inbox-state'
import { useActs, useInbox } from './use-inbox'

const periodIn = ({ filters: { params } }: InboxState) => ({ from: params.from, to: params.to })

export function PeriodChoices({ close }: { close: () => void }) {
  const t = useTranslations('inbox')
  const period = useInbox(periodIn)
  const { setFilters } = useActs()
  const today = stockholmDay(useToday())
  const preset = presetOf(period, today)
  const limits = { from: { max: period.to ?? today }, to: { min: period.from ?? undefined, max: today } }
  return (
    <div className="flex w-60 flex-col">
      {PERIOD_PRESETS.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === preset}
          onClick={() => (setFilters(periodOf(value, today)), close())}
          className="min-h-8 rounded-sm px-2.5 text-left text-sm hover:bg-hover aria-pressed:bg-fill aria-pressed:font-medium touch:min-h-11"
        >
          {t(`period.${value}`)}
        </button>
      ))}
      <div className="mt-1 flex flex-col gap-2.5 border-t border-line-soft p-2.5">
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            label={t(`filter.${end}`)}
            type="date"
            defaultValue={period[end] ?? ''}
            min={EARLIEST}
            {...limits[end]}
            onChange={({ target }) =>
              !target.validity.badInput && isDay(target.value) && setFilters({ [end]: target.value || null })
            }
          />
        ))}
        <Button text={t('filter.done')} size="sm" onClick={close} />
      </div>
    </div>
  )
}

const EARLIEST = '2000-01-01'
const LATEST = '2100-12-31'

/** Years are typed digit by digit: `0002` on the way to `2026` does not count. */
const isDay = (value: string) => value === '' || (value >= EARLIEST && value <= LATEST)
