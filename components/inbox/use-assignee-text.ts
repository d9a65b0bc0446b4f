'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { peopleQuery } from '@/lib/api/people'

/** What an assignee is called in a filter. Names are asked for only when somebody is chosen by name. */
export function useAssigneeText(chosen: readonly string[]): (value: string) => string {
  const t = useTranslations('inbox.filter')
  const isNamed = chosen.some((value) => value !== 'me' && value !== 'none')
  const { data } = useQuery({ ...peopleQuery, enabled: isNamed })
  return (value) => {
    if (value === 'me') return t('mine')
    if (value === 'none') return t('unassigned')
    return data?.people.find(({ id }) => id === value)?.name ?? t('somebody')
  }
}
