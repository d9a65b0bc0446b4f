'use client'

import { CloudOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/loading'
import type { FeedList } from '@/lib/contract/lists'
import { useCurrentUser } from './current-user'
import { problemOfMissing } from './feed-state'
import { useStatusOnClient } from './feed-status'
import { DeskLink } from './navigate'

type NoDataYetProps = { lists: readonly FeedList[]; isScreen?: boolean; children?: ReactNode }

export function NoDataYet({ lists, isScreen = false, children }: NoDataYetProps) {
  const t = useTranslations('status')
  const dayAndTime = useDayAndTime()
  const isAdmin = useCurrentUser()?.isAdmin === true
  const status = useStatusOnClient()
  const problem = status === undefined ? null : problemOfMissing(status, lists)
  if (problem === null) {
    return (
      <EmptyState
        icon={<Spinner />}
        isScreen={isScreen}
        title={t(status === undefined ? 'noData' : 'starting')}
        hint={
          <>
            {status !== undefined && <span>{t('first.soon')}</span>}
            {children}
          </>
        }
      />
    )
  }
  const { kind, at, sinceMs, retryInMs: retryAt } = problem
  const toStatus = (
    <DeskLink href="/admin/status" className={buttonClass()}>
      {t('first.toStatus')}
    </DeskLink>
  )
  return (
    <EmptyState
      icon={<CloudOff />}
      isScreen={isScreen}
      title={t(`problem.${at ?? kind}`)}
      hint={
        <>
          <span>{`${t(`first.${at ?? kind}`)} ${t('first.since', { since: dayAndTime(sinceMs) })}`}</span>
          {retryAt !== null && <span> {t('first.retry', { when: dayAndTime(retryAt) })}</span>}
          {children}
        </>
      }
      action={isAdmin && toStatus}
    />
  )
}
