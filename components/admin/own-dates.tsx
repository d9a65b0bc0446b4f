import { Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import type { OwnDate, WorkSettings } from '@/lib/contract/work-settings'
import { useSaveWork } from './save-work'
import { WorkSection } from './work-section'

type OwnDatesProps = { settings: WorkSettings; onSaved: (settings: WorkSettings) => void }

const MOST = 100

/** Dates of the school group's own, such as an open house, shown with those of the admission. */
export function OwnDates({ settings: { calendar }, onSaved }: OwnDatesProps) {
  const t = useTranslations('work.dates')
  const [dates, setDates] = useState(() => keyed(calendar))
  const { busy, save } = useSaveWork((saved) => {
    setDates(keyed(saved.calendar))
    onSaved(saved)
  })
  const isWhole = dates.every(({ day, name }) => day !== '' && name.trim() !== '')
  const calendarNow = dates.map(({ day, name }) => ({ day, name: name.trim() }))
  const change = (changed: string, part: Partial<OwnDate>) =>
    setDates(dates.map((date) => (date.key === changed ? { ...date, ...part } : date)))
  return (
    <WorkSection
      title={t('title')}
      lead={t('lead')}
      save={t('save')}
      busy={busy}
      disabled={!isWhole || JSON.stringify(calendarNow) === JSON.stringify(calendar)}
      onSave={() => void save({ calendar: calendarNow.toSorted((a, b) => (a.day < b.day ? -1 : 1)) })}
    >
      <ul>
        {dates.map(({ key, day, name }) => (
          <DateRow
            key={key}
            date={{ day, name }}
            onChange={(part) => change(key, part)}
            onRemove={() => setDates(dates.filter((date) => date.key !== key))}
          />
        ))}
      </ul>
      <div className="px-4 py-2.5">
        <Button
          variant="ghost"
          size="sm"
          disabled={dates.length >= MOST}
          onClick={() => setDates([...dates, ...keyed([{ day: '', name: '' }])])}
        >
          <Plus aria-hidden className="size-3.5" />
          {t('add')}
        </Button>
      </div>
    </WorkSection>
  )
}

type DateRowProps = { date: OwnDate; onChange: (part: Partial<OwnDate>) => void; onRemove: () => void }

function DateRow({ date: { day, name }, onChange, onRemove }: DateRowProps) {
  const t = useTranslations('work.dates')
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-2.5">
      <Input
        type="date"
        aria-label={t('day')}
        value={day}
        onChange={(event) => onChange({ day: event.target.value })}
        className="max-w-40"
      />
      <Input
        aria-label={t('name')}
        placeholder={t('example')}
        maxLength={80}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
        className="min-w-32 flex-1"
      />
      <IconButton label={t('remove', { name: name || t('unnamed') })} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  )
}

/** Two dates may say the same while they are written. */
function keyed(dates: readonly OwnDate[]): readonly (OwnDate & { key: string })[] {
  const now = performance.now()
  return dates.map((date, index) => ({ ...date, key: `${now} ${index}` }))
}
