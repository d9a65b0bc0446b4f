'use client'

import { CloudOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useDayAndTime } from './clock'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/loading'
import type { FeedList } from '@/lib/contract/lists'
import { useCurrentUser } from './current-user'
import { problemOfMissing } from './feed-state'
import { problemAct, useStatusOnClient } from './feed-status'
import { DeskLink } from './navigate'

export function NoDataYet({ lists, isScreen = false }: { lists: readonly FeedList[]; isScreen?: boolean }) {
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
        hint={status !== undefined && t('soon')}
      />
    )
  }
  const { kind, at, since, retryAt } = problem
  const why = [t('notYet'), t(`act.${problemAct(problem)}`), t('since', { since: dayAndTime(since) })].join(' ')
  return (
    <EmptyState
      icon={<CloudOff />}
      isScreen={isScreen}
      title={t(`problem.${at ?? kind}`)}
      hint={
        <>
          <span>{why}</span>
          {retryAt !== null && <span> {t('retry', { when: dayAndTime(retryAt) })}</span>}
        </>
      }
      action={
        isAdmin && (
          <DeskLink href="/admin/status" className={buttonClass()}>
            {t('toStatus')}
          </DeskLink>
        )
      }
    />
  )
}
