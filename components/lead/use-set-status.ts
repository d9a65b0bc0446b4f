'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { leadKeys, type LeadItem, type LeadPage } from '@/lib/api/lead-page'
import { setStatus } from '@/lib/api/triage'
import type { LeadKind, LeadList, LeadStatus } from '@/lib/contract/lead'
import { withStatus } from '@/lib/inbox/status-in-pages'

type Change = { item: LeadItem; status: LeadStatus }

/** Gives a lead a status: at once on screen, then on the server; put back if that fails. */
export function useSetStatus({ list, kind }: { list: LeadList; kind: LeadKind }): (change: Change) => void {
  const t = useTranslations('lead')
  const client = useQueryClient()
  const queryKey = leadKeys.list(list)
  const show = (id: string, status: LeadStatus, updatedAt: string | null) =>
    client.setQueriesData<LeadPage>({ queryKey }, (page) => page && withStatus(page, id, status, updatedAt))

  const { mutate } = useMutation({
    mutationKey: ['triage', list],
    mutationFn: ({ item, status }: Change) => setStatus({ leads: [{ kind, id: item.id }], status }),
    onMutate: async ({ item, status }) => {
      // An answer that was on its way would show the old status again for a moment.
      await client.cancelQueries({ queryKey })
      show(item.id, status, new Date().toISOString())
    },
    onError: (_error, { item }) => {
      show(item.id, item.triage.status, item.triage.updatedAt)
      toast(t('statusFailed'), { tone: 'error' })
    },
    onSettled: () => {
      const isLast = client.isMutating({ mutationKey: ['triage', list] }) === 1
      return isLast ? client.invalidateQueries({ queryKey }) : undefined
    },
  })
  return (change) => {
    if (change.status !== change.item.triage.status) mutate(change)
  }
}
