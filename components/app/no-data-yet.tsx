'use client'

import { CloudOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/loading'
import type { FeedList } from '@/lib/contract/lists'
import { useDayTimeFormatter } from './clock'
import { useCurrentUser } from './current-user'
import { useHydratedFeedStatus } from './feed-status'
import { findMissingProblem, findRemedy, toProblemKey } from './feed-summary'
import { DeskLink } from './navigate'

export function NoDataYet({ lists, isWholeScreen = false }: { lists: readonly FeedList[]; isWholeScreen?: boolean }) {
  const t = useTranslations('status')
  const formatDayTime = useDayTimeFormatter()
  const isAdmin = useCurrentUser()?.isAdmin === true
  const status = useHydratedFeedStatus()
  const problem = status === undefined ? null : findMissingProblem(status, lists)
  if (problem === null)
    return (
      <EmptyState
        icon={<Spinner />}
        isWholeScreen={isWholeScreen}
        title={t(status === undefined ? 'noData' : 'starting')}
        hint={status !== undefined && t('soon')}
      />
    )
  const { since, retryAt } = problem
  const explanation = [t('notYet'), t(`act.${findRemedy(problem)}`), t('since', { since: formatDayTime(since) })]
  if (retryAt !== null) explanation.push(t('retry', { when: formatDayTime(retryAt) }))
  return (
    <EmptyState
      icon={<CloudOff />}
      isWholeScreen={isWholeScreen}
      title={t(`problem.${toProblemKey(problem)}`)}
      hint={explanation.join(' ')}
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
