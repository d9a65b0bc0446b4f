'use client'

import { useTranslations } from 'next-intl'
import type { ExportEntry } from '@/lib/contract/export'
import type { Matching } from '@/lib/contract/triage'
import { useSchoolNamesById } from './use-school-names-by-id'

/** Which leads an export was of, in the words of the filters. */
export function MatchingText({ entry: { matching, newOnly, purpose } }: { entry: ExportEntry }) {
  const t = useTranslations('export.history')
  const parts = useFilterWords(matching)
  // Without the purpose the whole reason could not be read.
  if (matching === null) return purpose === '' ? t('unreadable') : t('picked')
  const text = parts.length === 0 ? t('everything') : parts.join(' · ')
  return newOnly ? t('onlyNew', { filter: text }) : text
}

function useFilterWords(matching: Matching | null): string[] {
  const t = useTranslations()
  const schoolName = useSchoolNamesById()
  if (matching === null) return []
  const { q, status, school, assignee, from, to, fresh, id } = matching
  const stated = 'export.history.stated' as const
  const words = [
    q !== undefined && q.trim() !== '' && t(`${stated}.q`, { text: q.trim() }),
    status?.map((one) => t(`common.status.${one}`)).join(', '),
    'year' in matching && matching.year && t(`${stated}.year`, { years: matching.year.map(String).join(', ') }),
    'mode' in matching && matching.mode?.map((one) => t(`inbox.mode.${one}`)).join(', '),
    school &&
      (school.length > 2 ? t(`${stated}.schools`, { count: school.length }) : school.map(schoolName).join(', ')),
    assignee && t(`${stated}.assignee`, { who: assignee.map((who) => t(`${stated}.${personOf(who)}`)).join(', ') }),
    from !== undefined && t(`${stated}.since`, { day: from }),
    to !== undefined && t(`${stated}.until`, { day: to }),
    fresh === true && t(`${stated}.fresh`),
    id && t(`${stated}.ids`, { count: id.length }),
  ]
  return words.flatMap((part) => part || [])
}

function personOf(assignee: string): 'me' | 'none' | 'person' {
  return assignee === 'me' || assignee === 'none' ? assignee : 'person'
}
