import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { believeList, feedReportQuery } from '@/lib/api/administration'
import type { ListReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { dayAndTime, shortDuration } from '@/lib/time/format-time'

type Doubt = NonNullable<NonNullable<ListReport['problem']>['doubt']>
type HeldBackProps = { list: FeedList; doubt: Doubt; report: ListReport; now: number }

/** A list that suddenly shrank and is not believed yet: both numbers, what it may be, and what an administrator can say. */
export function HeldBack({ list, doubt, report: { fetchedAt, nextAt }, now }: HeldBackProps) {
  const t = useTranslations('admin.status.heldBack')
  const problem = useTranslations('admin.status.problem')
  const format = useFormatter()
  const locale = useLocale()
  const [isAsking, setAsking] = useState(false)
  const retryInMs = nextAt === null ? 0 : Date.parse(nextAt) - now
  const figures = { before: format.number(doubt.before), now: format.number(doubt.now) }
  return (
    <>
      <div className="flex flex-col items-start gap-2 rounded-md bg-warn px-4 py-3 text-sm text-warn-ink">
        <p className="font-semibold">{t('title')}</p>
        <p suppressHydrationWarning className="tabular max-w-prose">
          {t('what', figures)}{' '}
          {fetchedAt !== null && problem('kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })}
        </p>
        <p className="max-w-prose">{t('why')}</p>
        <p suppressHydrationWarning className="tabular max-w-prose">
          {t('answers', { count: doubt.answers })}{' '}
          {retryInMs < 1000 ? problem('retryNow') : problem('retryIn', { time: shortDuration(retryInMs, locale) })}
        </p>
        <Button className="mt-1" onClick={() => setAsking(true)}>
          {t('agree')}
        </Button>
      </div>
      <Confirm list={list} doubt={doubt} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

type ConfirmProps = Pick<HeldBackProps, 'list' | 'doubt'> & { isOpen: boolean; onClose: () => void }

function Confirm({ list, doubt, isOpen, onClose }: ConfirmProps) {
  const t = useTranslations('admin.status.heldBack')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => believeList(list),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: feedReportQuery.queryKey }),
  })
  return (
    <Dialog open={isOpen} onClose={onClose} title={t('confirmTitle')}>
      <Confirmation
        text={t('confirmBody', { count: doubt.before - doubt.now })}
        problem={isError ? t('failed') : null}
        actions={
          <>
            <Button autoFocus onClick={onClose}>
              {t('wait')}
            </Button>
            <Button variant="primary" busy={isPending} onClick={() => mutate()}>
              {t('agree')}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
