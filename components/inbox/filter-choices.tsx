'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMe } from '@/components/shell/me'
import { StatusDot } from '@/components/ui/status-dot'
import { highSchools } from '@/lib/api/high-schools'
import { peopleQuery } from '@/lib/api/people'
import type { ListCounts } from '@/lib/contract/list-counts'
import { MODES, STATUSES } from '@/lib/inbox/filter-params'
import { ChoiceList } from './choice-list'
import type { ListFilters } from './use-list-filters'

export type ChoicesProps = {
  name: string
  filters: ListFilters
  counts: ListCounts | undefined
  close: () => void
}

export function StatusChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('common.status')
  const choices = STATUSES.map((value) => ({ value, label: t(value), icon: <StatusDot status={value} /> }))
  return (
    <ChoiceList
      name={name}
      choices={choices}
      counts={counts?.status}
      chosen={params.status}
      onChange={(status) => set({ status })}
    />
  )
}

export function ModeChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox.mode')
  const choices = MODES.map((value) => ({ value, label: t(value) }))
  return (
    <ChoiceList
      name={name}
      choices={choices}
      counts={counts?.mode}
      chosen={params.mode}
      onChange={(mode) => set({ mode })}
    />
  )
}

const YEARS_BACK = 1
const YEARS_AHEAD = 4

/** The years that declarations are about now, any other that there are, and those that the URL asks for. */
export function YearChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const [thisYear] = useState(() => new Date().getFullYear())
  const near = Array.from({ length: YEARS_BACK + 1 + YEARS_AHEAD }, (_, at) => thisYear - YEARS_BACK + at)
  const there = Object.keys(counts?.year ?? {}).map(Number)
  const years = [...new Set([...near, ...there, ...params.year])].toSorted((a, b) => a - b)
  return (
    <ChoiceList
      name={name}
      choices={years.map((value) => ({ value, label: String(value) }))}
      counts={counts?.year}
      chosen={params.year}
      onChange={(year) => set({ year })}
    />
  )
}

export function SchoolChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const { data } = useQuery(highSchools())
  const known = (data?.highSchools ?? []).map(({ id, name: label }) => ({ value: id, label }))
  const unknown = params.school.filter((id) => known.every(({ value }) => value !== id))
  return (
    <ChoiceList
      name={name}
      choices={[...known, ...unknown.map((id) => ({ value: id, label: id }))]}
      counts={counts?.school}
      chosen={params.school}
      onChange={(school) => set({ school })}
    />
  )
}

export function AssigneeChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox.filter')
  const ownId = useMe()?.id ?? ''
  const { data } = useQuery(peopleQuery)
  const others = (data?.people ?? []).filter(({ id }) => id !== ownId)
  const choices = [
    { value: 'me', label: t('mine') },
    { value: 'none', label: t('unassigned') },
    ...others.map((person) => ({ value: person.id, label: person.name })),
  ]
  const own = counts?.assignee[ownId]
  return (
    <ChoiceList
      name={name}
      choices={choices}
      counts={counts && { ...counts.assignee, ...(own !== undefined && { me: own }) }}
      chosen={params.assignee}
      onChange={(assignee) => set({ assignee })}
    />
  )
}
