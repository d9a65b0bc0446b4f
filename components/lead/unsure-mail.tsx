import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { Button } from '@/components/ui/button'
import { Notice, ProblemText } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import type { SettleReply } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { sinceTime } from '@/lib/time/format-time'

/** That a mail by Intag may have been sent, until somebody who knows says whether it was. */
export function UnsureMail({ lead, item }: { lead: LeadRef; item: LeadItem }) {
  const t = useTranslations('reply.unsure')
  const locale = useLocale()
  const today = useToday()
  const client = useQueryClient()
  const { unsure } = item.attempts
  const { mutate, isPending, isError } = useMutation({
    mutationFn: (body: SettleReply) => api('PATCH /api/replies', { body }),
    onSettled: () => {
      void refreshTriaged(client, LISTS_BY_KIND[lead.kind].list)
      void refreshCounts(client)
    },
  })
  if (unsure === undefined) return null
  const settle = (wasSent: boolean) => mutate({ ...lead, attempt: unsure.id, wasSent })
  return (
    <Notice className="mt-4 flex flex-col items-start gap-2" role="status">
      <p className="font-medium">{t('title', { when: sinceTime(Date.parse(unsure.at), today, locale) })}</p>
      <p className="text-pretty">{t('body')}</p>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" busy={isPending} onClick={() => settle(true)}>
          {t('wasSent')}
        </Button>
        <Button size="sm" disabled={isPending} onClick={() => settle(false)}>
          {t('wasNot')}
        </Button>
      </span>
      <ProblemText text={isError ? t('failed') : null} />
    </Notice>
  )
}
