import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { api, apiQuery, keyOf } from '@/lib/api/call'
import type { PurgeHold } from '@/lib/contract/feed-status'
import { fullTime } from '@/lib/time/format-date'

const holdsQuery = { ...apiQuery('GET /api/purge-holds'), refetchInterval: 60_000, refetchOnWindowFocus: true }

/** Lists that shrank so much at once that nothing is purged before somebody has looked; nothing while there are none. */
export function PurgeHolds() {
  const { data } = useQuery(holdsQuery)
  return data?.holds.map((hold) => <HoldCard key={hold.list} hold={hold} />)
}

function HoldCard({ hold }: { hold: PurgeHold }) {
  const { list, since, before, now } = hold
  const t = useTranslations('admin')
  const locale = useLocale()
  const format = useFormatter()
  const [isAsking, setAsking] = useState(false)
  const name = t(`status.list.${list}`)
  const figures = { before: format.number(before), after: format.number(now) }
  return (
    <section
      aria-label={t('purge.title', { list: name })}
      className="rounded-lg border border-line bg-warn p-4 text-warn-ink"
    >
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <TriangleAlert aria-hidden className="size-4.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{t('purge.title', { list: name })}</span>
      </h2>
      <p className="mt-1 max-w-prose text-sm">
        {t('purge.what', { ...figures, since: fullTime(Date.parse(since), locale) })}{' '}
        {t('purge.why', { count: before - now })}
      </p>
      <Button className="mt-3" onClick={() => setAsking(true)}>
        {t('purge.agree')}
      </Button>
      <Confirm hold={hold} isOpen={isAsking} onClose={() => setAsking(false)} />
    </section>
  )
}

function Confirm({ hold, isOpen, onClose }: { hold: PurgeHold; isOpen: boolean; onClose: () => void }) {
  const t = useTranslations('admin.purge')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => api('POST /api/purge-holds', { body: { list: hold.list } }),
    onSuccess: () => {
      onClose()
      return client.invalidateQueries({ queryKey: keyOf('GET /api/purge-holds') })
    },
  })
  return (
    <Dialog open={isOpen} onClose={onClose} title={t('confirmTitle')}>
      <Confirmation
        text={t('confirmBody', { count: hold.before - hold.now })}
        problem={isError ? t('failed') : null}
        actions={
          <>
            <Button autoFocus onClick={onClose}>
              {t('wait')}
            </Button>
            <Button variant="danger" busy={isPending} onClick={() => mutate()}>
              {t('agree')}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
