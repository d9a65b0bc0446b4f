import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Plus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button-class'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { ProblemText } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/loading'
import { Menu, MenuItem } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import { highSchools, usersQuery } from '@/lib/api/queries'
import type { HighSchool } from '@/lib/contract/lead'
import type { User } from '@/lib/contract/user'
import type { WorkSettings, WorkSettingsChange } from '@/lib/contract/work-settings'
import { addDays, stockholmDay } from '@/lib/time/stockholm'

const settingsQuery = apiQuery('GET /api/settings')

/** To whom the new leads of each school go in turn, and who is on leave; loads what it needs, and saves each change at once. */
export function StandingSection() {
  const t = useTranslations('handOver.standing')
  const settings = useQuery(settingsQuery)
  const people = useQuery(usersQuery)
  const schools = useQuery(highSchools)
  const save = useSave()
  const asked = [settings, people, schools]
  if (settings.data === undefined || people.data === undefined || schools.data === undefined) {
    if (!asked.some(({ isError }) => isError)) return <Skeleton className="h-40 w-full" />
    const retry = () => asked.filter(({ isError }) => isError).forEach((one) => void one.refetch())
    return <LoadFailure onRetry={retry}>{t('loadFailed')}</LoadFailure>
  }
  const { standing, leave } = settings.data
  const workers = people.data.users.filter(({ role, disabled }) => role !== 'manager' && !disabled)
  return (
    <div className="mb-4 flex max-w-2xl flex-col gap-6">
      <section aria-labelledby="standing">
        <Heading id="standing" title={t('title')} hint={t('hint')} />
        <ul className="divide-y divide-line-soft rounded-lg border border-line bg-panel shadow-card">
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
      </section>
      <section aria-labelledby="leave">
        <Heading id="leave" title={t('leaveTitle')} hint={t('leaveHint')} />
        <ul className="divide-y divide-line-soft rounded-lg border border-line bg-panel shadow-card">
          {workers.map((person) => (
            <Leave
              key={person.id}
              person={person}
              until={leave[person.id] ?? null}
              onChange={(until) => save({ leave: { [person.id]: until } }, { onSuccess: () => toast(t('saved')) })}
            />
          ))}
        </ul>
      </section>
    </div>
  )
}

/** On screen at once; what cannot be saved is put back and said. */
function useSave() {
  const t = useTranslations('handOver.standing')
  const client = useQueryClient()
  const { queryKey } = settingsQuery
  const { mutate } = useMutation({
    mutationFn: (body: Change) => api('PATCH /api/settings', { body }),
    scope: { id: 'standing' },
    onMutate: (change) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && withChange(known, change))
    },
    onError: () => toast(t('failed'), { tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return mutate
}

type Change = Pick<WorkSettingsChange, 'standing' | 'leave'>

function withChange(known: WorkSettings, { standing, leave }: Change): WorkSettings {
  const onLeave = Object.entries({ ...known.leave, ...leave }).flatMap(([id, until]) =>
    until === null ? [] : [[id, until] as const],
  )
  return { ...known, standing: { ...known.standing, ...standing }, leave: Object.fromEntries(onLeave) }
}

function Heading({ id, title, hint }: { id: string; title: string; hint: string }) {
  return (
    <>
      <h2 id={id} className="mb-1 text-base font-semibold">
        {title}
      </h2>
      <p className="mb-3 max-w-prose text-sm text-pretty text-mute">{hint}</p>
    </>
  )
}

type SchoolProps = {
  school: HighSchool
  chosen: readonly string[]
  workers: readonly User[]
  onChange: (ids: string[]) => void
}

/** Those who stand for one school, in the order of their turns. */
function School({ school, chosen, workers, onChange }: SchoolProps) {
  const t = useTranslations('handOver.standing')
  const able = workers.filter(({ schools }) => schools === 'all' || schools.includes(school.id))
  const others = able.filter(({ id }) => !chosen.includes(id))
  const nameOf = (id: string) => able.find((person) => person.id === id)?.name
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
          {chosen.map((id, at) => (
            <li key={id} className="flex items-center gap-2.5 text-sm">
              <span className="tabular w-4 text-right text-xs text-faint">{at + 1}</span>
              <Avatar name={nameOf(id) ?? '?'} />
              <span className={nameOf(id) ? 'min-w-0 flex-1 truncate' : 'min-w-0 flex-1 truncate text-faint italic'}>
                {nameOf(id) ?? t('gone')}
              </span>
              <IconButton label={t('up', { name: nameOf(id) ?? '' })} disabled={at === 0} onClick={() => moveUp(at)}>
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton
                label={t('remove', { name: nameOf(id) ?? t('gone') })}
                onClick={() => onChange(chosen.filter((one) => one !== id))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ol>
        {others.length > 0 && (
          <AddPerson school={school.name} people={others} onAdd={(id) => onChange([...chosen, id])} />
        )}
      </div>
    </li>
  )
}

const addClass = buttonClass({ size: 'sm', className: 'self-start' })

type AddPersonProps = { school: string; people: readonly User[]; onAdd: (id: string) => void }

function AddPerson({ school, people, onAdd }: AddPersonProps) {
  const t = useTranslations('handOver.standing')
  return (
    <Menu
      label={t('addTo', { school })}
      className="max-w-80"
      trigger={(props) => (
        <button {...props} type="button" aria-label={t('addTo', { school })} className={addClass}>
          <Plus aria-hidden className="size-3.5" />
          {t('add')}
        </button>
      )}
    >
      {(close) =>
        people.map(({ id, name }) => (
          <MenuItem
            key={id}
            onSelect={() => {
              close()
              onAdd(id)
            }}
          >
            {name}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

type LeaveProps = { person: User; until: string | null; onChange: (until: string | null) => void }

/** The day on which somebody is back; none for who is there. */
function Leave({ person: { name }, until, onChange }: LeaveProps) {
  const t = useTranslations('handOver.standing')
  const today = stockholmDay(useToday())
  const shown = until !== null && until > today ? until : ''
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
            if (!isRefused && value !== shown) onChange(value === '' ? null : value)
          }}
        />
      </span>
      <ProblemText text={isTooEarly ? t('tooEarly') : null} className="basis-full" />
    </li>
  )
}
