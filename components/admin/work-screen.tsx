'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DeskLink } from '@/components/desk/go'
import { SettingsForm } from '@/components/desk/save-form'
import { Button, buttonClass } from '@/components/ui/button'
import { Input, Select } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { PageHeader } from '@/components/ui/headings'
import type { AdmissionCycle, WorkSettings, OwnDate } from '@/lib/contract/settings'
import type { HighSchool } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { StandingSection } from './standing-section'
import { useSaveWork, WorkFrom } from './work-from'

type WorkScreenProps = { first: WorkSettings; cycle: AdmissionCycle; schools: readonly HighSchool[] }

export function WorkScreen({ first, cycle, schools }: WorkScreenProps) {
  const t = useTranslations('work')
  const [settings, onSaved] = useState(first)
  const toWelcome = (
    <DeskLink href="/welcome" className={buttonClass()}>
      {t('welcomeAgain')}
    </DeskLink>
  )
  return (
    <div className="page">
      <div className="max-w-2xl">
        <PageHeader title={t('title')} lead={t('lead')} action={toWelcome} />
      </div>
      <WorkFrom settings={settings} cycle={cycle} onSaved={onSaved} />
      <AnswerGoals settings={settings} onSaved={onSaved} />
      <StandingSection />
      <OwnDates settings={settings} onSaved={onSaved} />
      <ReplyAddresses settings={settings} schools={schools} onSaved={onSaved} />
    </div>
  )
}

type PartProps = { settings: WorkSettings; onSaved: (settings: WorkSettings) => void }

const row = 'border-b border-line-soft px-4 text-sm font-medium last:border-b-0'
const MOST_DAYS = 10

function AnswerGoals({ settings, onSaved }: PartProps) {
  const t = useTranslations('work.goals')
  const [goals, setGoals] = useState(settings.goals)
  const saving = useSaveWork({ goals }, onSaved)
  const isSame = LEAD_KINDS.every((kind) => goals[kind] === settings.goals[kind])
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')} disabled={isSame}>
      {LEAD_KINDS.map((kind) => (
        <label key={kind} className={`${row} flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3`}>
          {t(kind)}
          <Select
            value={goals[kind] ?? ''}
            onChange={({ target: { value } }) => setGoals({ ...goals, [kind]: value === '' ? null : Number(value) })}
            className="tabular min-w-[min(12rem,100%)]"
          >
            <option value="">{t('none')}</option>
            {daysOffered(goals[kind]).map((days) => (
              <option key={days} value={days}>
                {t('days', { count: days })}
              </option>
            ))}
          </Select>
        </label>
      ))}
    </SettingsForm>
  )
}

function daysOffered(chosen: number | null): number[] {
  const usual = Array.from({ length: MOST_DAYS }, (_, index) => index + 1)
  return chosen === null || usual.includes(chosen) ? usual : [...usual, chosen]
}

const MOST_DATES = 100

function OwnDates({ settings: { calendar }, onSaved }: PartProps) {
  const t = useTranslations('work.dates')
  const [dates, setDates] = useState(() => keyed(calendar))
  const written = dates.map(({ day, name }) => ({ day, name: name.trim() }))
  const byDay = written.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const saving = useSaveWork({ calendar: byDay }, (saved) => {
    setDates(keyed(saved.calendar))
    onSaved(saved)
  })
  const isWhole = written.every(({ day, name }) => day !== '' && name !== '')
  const isSame = JSON.stringify(written) === JSON.stringify(calendar)
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')} disabled={!isWhole || isSame}>
      <ul>
        {dates.map(({ key, ...date }) => (
          <DateRow
            key={key}
            date={date}
            onChange={(part) => setDates(dates.map((one) => (one.key === key ? { ...one, ...part } : one)))}
            onRemove={() => setDates(dates.filter((one) => one.key !== key))}
          />
        ))}
      </ul>
      <div className="px-4 py-2.5">
        <Button
          variant="ghost"
          size="sm"
          disabled={dates.length >= MOST_DATES}
          onClick={() => setDates([...dates, ...keyed([{ day: '', name: '' }])])}
        >
          <Plus aria-hidden className="size-3.5" />
          {t('add')}
        </Button>
      </div>
    </SettingsForm>
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
        onChange={({ target }) => onChange({ day: target.value })}
        className="max-w-40"
      />
      <Input
        aria-label={t('name')}
        placeholder={t('example')}
        maxLength={80}
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        className="min-w-32 flex-1"
      />
      <IconButton label={t('remove', { name: name || t('unnamed') })} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  )
}

/** Two dates may be the same while they are written. */
function keyed(dates: readonly OwnDate[]): readonly (OwnDate & { key: string })[] {
  const now = performance.now()
  return dates.map((date, index) => ({ ...date, key: `${now} ${index}` }))
}

function ReplyAddresses({ settings: { replyTo }, schools, onSaved }: PartProps & { schools: readonly HighSchool[] }) {
  const t = useTranslations('work.replyTo')
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({})
  const changed = Object.entries(written).filter(([school, address]) => address !== (replyTo[school] ?? ''))
  const change = Object.fromEntries(changed.map(([school, address]) => [school, address || null]))
  const saving = useSaveWork({ replyTo: change }, onSaved)
  const isSame = changed.length === 0
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')} disabled={isSame}>
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('noSchools')}</p>}
      <div className="max-h-96 overflow-y-auto scroll-thin">
        {schools.map(({ id, name }) => (
          <label key={id} className={`${row} grid items-center gap-x-4 gap-y-1.5 py-2.5 desk:grid-cols-[1fr_18rem]`}>
            {name}
            <Input
              type="email"
              maxLength={200}
              autoComplete="off"
              placeholder={t('usual')}
              defaultValue={replyTo[id] ?? ''}
              onChange={({ target }) => setWritten({ ...written, [id]: target.value.trim() })}
            />
          </label>
        ))}
      </div>
    </SettingsForm>
  )
}
