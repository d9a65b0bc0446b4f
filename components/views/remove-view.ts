import type { QueryClient } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { deleteView, savedViewsQuery, saveView } from '@/lib/api/saved-views'
import type { SavedView } from '@/lib/contract/saved-view'

type Words = ReturnType<typeof useTranslations<never>>

/** Deletes a view at once, with a way back: saving it again. */
export async function removeView(client: QueryClient, view: SavedView, t: Words): Promise<void> {
  const { queryKey } = savedViewsQuery
  const settle = async (work: Promise<void>) => {
    const isDone = await work.then(
      () => true,
      () => false,
    )
    if (!isDone) toast(t('shell.views.failed'), { tone: 'error' })
    await client.invalidateQueries({ queryKey })
    return isDone
  }
  const { name, list, query, shared } = view
  client.setQueryData(queryKey, (before) => before && { views: before.views.filter(({ id }) => id !== view.id) })
  if (!(await settle(deleteView(view.id)))) return
  toast(t('shell.views.deleted', { name }), {
    action: { label: t('inbox.triage.undo'), onClick: () => void settle(saveView({ name, list, query, shared })) },
  })
}
