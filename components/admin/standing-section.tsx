import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Plus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { useSave } from '@/components/desk/save'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button-class'
import { Input } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { ChoiceMenu } from '@/components/ui/menu'
import { ProblemText } from '@/components/ui/notice'
import { TitledSection } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import { highSchools, usersQuery } from '@/lib/api/queries'
import type { HighSchool } from '@/lib/contract/lead'
import type { User } from '@/lib/contract/user'
import type { WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { addDays, stockholmDay } from '@/lib/time/stockholm'

const settingsQuery = apiQuery('GET /api/settings')

export function StandingSection() {
  const t = useTranslations('handOver.standing')
  const settings = useQuery(settingsQuery)
  const people = useQuery(usersQuery)
  const schools = useQuery(highSchools)
  const save = useSaveAtOnce()
  if (settings.data === undefined || people.data === undefined || schools.data === undefined) {
    const failed = [settings, people, schools].filter(({ isError }) => isError)
    if (failed.length === 0) return <Skeleton className="h-40 w-full" />
    return <LoadFailure text={t('loadFailed')} onRetry={() => failed.forEach((query) => void query.refetch())} />
  }
  const { standing, leave } = settings.data
  const workers = people.data.users.filter(({ role, disabled }) => role !== 'manager' && !disabled)
  return (
    <div className="mb-4 flex max-w-2xl flex-col gap-6">
      <TitledSection id="standing" title={t('title')} hint={t('hint')}>
        <ul className={listClass}>
          {schools.data.highSchools.map((school) => (
            <School
              key={school.id}
              school={school}
              chosen={standing[school.id] ?? []}
              workers={workers}
              onChange={(ids) => save({ standing: { [school.id]: ids } })}
            />
          ))}
        </ul>
      </TitledSection>
      <TitledSection id="leave" title={t('leaveTitle')} hint={t('leaveHint')}>
        <ul className={listClass}>
          {workers.map(({ id, name }) => (
            <Leave key={id} name={name} until={leave[id] ?? ''} onChange={(day) => save({ leave: { [id]: day } })} />
          ))}
        </ul>
      </TitledSection>
    </div>
  )
}

const listClass = 'divide-y divide-line-soft rounded-lg border border-line bg-panel shadow-card'

type Change = Pick<WorkSettingsChange, 'standing' | 'leave'>

function useSaveAtOnce() {
  const t = useTranslations('handOver.standing')
  const client = useQueryClient()
  const { queryKey } = settingsQuery
  return useSave({
    send: (body: Change) => api('PATCH /api/settings', { body }),
    done: (_, { leave }) => (leave === undefined ? null : t('saved')),
    failed: t('failed'),
    refresh: 'GET /api/settings',
    onSend: (change) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && withChange(known, change))
    },
  }).save
}

function withChange(settings: WorkSettings, { standing, leave }: Change): WorkSettings {
  const onLeave = Object.entries({ ...settings.leave, ...leave }).flatMap(([id, until]) =>
    until === null ? [] : [[id, until] as const],
  )
  return { ...settings, standing: { ...settings.standing, ...standing }, leave: Object.fromEntries(onLeave) }
}

type SchoolProps = {
  school: HighSchool
  chosen: readonly string[]
  workers: readonly User[]
  onChange: (ids: string[]) => void
}

function School({ school, chosen, workers, onChange }: SchoolProps) {
  const t = useTranslations('handOver.standing')
  const able = workers.filter(({ schools }) => schools === 'all' || schools.includes(school.id))
  const others = able.filter(({ id }) => !chosen.includes(id))
  const moveUp = (at: number) => {
    const next = [...chosen]
    next.splice(at - 1, 0, ...next.splice(at, 1))
    onChange(next)
  }
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 py-3">
      <h3 className="min-w-[min(10rem,100%)] flex-1 pt-1 text-sm font-medium wrap-anywhere">{school.name}</h3>
      <div className="flex min-w-[min(15rem,100%)] flex-2 flex-col gap-1.5">
        {chosen.length === 0 && <p className="pt-1 text-sm text-mute">{t('nobody')}</p>}
        <ol className="flex flex-col">
          {chosen.map((id, at) => {
            const name = able.find((person) => person.id === id)?.name
            return (
              <li key={id} className="flex items-center gap-2.5 text-sm">
                <span className="tabular w-4 text-right text-xs text-faint">{at + 1}</span>
                <Avatar name={name ?? '?'} />
                <span className={name ? 'min-w-0 flex-1 truncate' : 'min-w-0 flex-1 truncate text-faint italic'}>
                  {name ?? t('gone')}
                </span>
                <IconButton
                  icon={ArrowUp}
                  label={t('up', { name: name ?? '' })}
                  disabled={at === 0}
                  onClick={() => moveUp(at)}
                />
                <IconButton
                  icon={X}
                  label={t('remove', { name: name ?? t('gone') })}
                  onClick={() => onChange(chosen.filter((other) => other !== id))}
                />
              </li>
            )
          })}
        </ol>
        <AddPerson
          label={t('addTo', { school: school.name })}
          people={others}
          onAdd={(id) => onChange([...chosen, id])}
        />
      </div>
    </li>
  )
}

function AddPerson({ label, people, onAdd }: { label: string; people: readonly User[]; onAdd: (id: string) => void }) {
  const t = useTranslations('handOver.standing')
  if (people.length === 0) return null
  return (
    <ChoiceMenu
      label={label}
      entries={people.map(({ id, name }) => ({ id, text: name, onSelect: () => onAdd(id) }))}
      className="max-w-80"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={label}
          className={buttonClass({ size: 'sm', className: 'self-start' })}
        >
          <Plus className="size-3.5" />
          {t('add')}
        </button>
      )}
    />
  )
}

function Leave({ name, until, onChange }: { name: string; until: string; onChange: (until: string | null) => void }) {
  const t = useTranslations('handOver.standing')
  const today = stockholmDay(useToday())
  const shown = until > today ? until : ''
  const [isTooEarly, setTooEarly] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
      <Avatar name={name} />
      <span className="min-w-32 flex-1 truncate">{name}</span>
      <span className="w-40 max-w-full">
        <Input
          key={shown}
          type="date"
          aria-label={t('leaveOf', { name })}
          defaultValue={shown}
          min={addDays(today, 1)}
          aria-invalid={isTooEarly}
          onBlur={({ target: { value, validity } }) => {
            // Half a date is no date, and does not end a leave.
            const isRefused = validity.badInput || (value !== '' && value <= today)
            setTooEarly(isRefused)
            if (!isRefused && value !== shown) onChange(value || null)
          }}
        />
      </span>
      <ProblemText text={isTooEarly ? t('tooEarly') : null} className="basis-full" />
    </li>
  )
}
