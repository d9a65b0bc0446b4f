'use client'

import { CloudOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/loading'
import type { FeedList } from '@/lib/contract/lists'
import { useCurrentUser } from './current-user'
import { problemOfMissing } from './feed-state'
import { useStatusLater } from './feed-status'
import { DeskLink } from './go'

type NothingYetProps = { lists: readonly FeedList[]; isScreen?: boolean; children?: ReactNode }

/** In place of lists of which one has never come: that it is on its way, or why it does not come. */
export function NothingYet({ lists, isScreen = false, children }: NothingYetProps) {
  const t = useTranslations('status')
  const moment = useDayAndTime()
  const isAdmin = useCurrentUser()?.isAdmin === true
  const status = useStatusLater()
  const problem = status === undefined ? null : problemOfMissing(status, lists)
  if (problem === null) {
    return (
      <EmptyState icon={<Spinner />} isScreen={isScreen} title={t(status === undefined ? 'noData' : 'starting')}>
        {status !== undefined && t('first.soon')}
        {children}
      </EmptyState>
    )
  }
  const { kind, at, sinceMs, retryInMs: retryAt } = problem
  const toStatus = (
    <DeskLink href="/admin/status" className={buttonClass()}>
      {t('first.toStatus')}
    </DeskLink>
  )
  return (
    <EmptyState icon={<CloudOff />} isScreen={isScreen} title={t(`problem.${at ?? kind}`)} action={isAdmin && toStatus}>
      {t(`first.${at ?? kind}`)} {t('first.since', { since: moment(sinceMs) })}{' '}
      {retryAt !== null && t('first.retry', { when: moment(retryAt) })}
      {children}
    </EmptyState>
  )
}
