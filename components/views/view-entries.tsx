import { useQueryClient } from '@tanstack/react-query'
import { Users, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCurrentList } from '@/components/desk/current-list'
import { DeskLink } from '@/components/desk/navigate'
import { cn } from '@/components/ui/cn'
import { toast } from '@/components/ui/toast'
import type { SavedView } from '@/lib/contract/list-query'
import { api } from '@/lib/api/call'
import { savedViewsQuery } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import { LIST_RESTARTED, presetSearch } from '@/lib/inbox/search-text'
import { isSameQuery, viewHref } from '@/lib/inbox/view-link'

export function ViewEntries({ views, onGone }: { views: readonly SavedView[]; onGone: (() => void) | undefined }) {
  return (
    <ul className="flex flex-col gap-px">
      {views.map((view) => (
        <ViewEntry key={view.id} view={view} onGone={onGone} />
      ))}
    </ul>
  )
}

function ViewEntry({ view, onGone }: { view: SavedView; onGone: (() => void) | undefined }) {
  const t = useTranslations('shell.views')
  const shown = useCurrentList()
  const remove = useRemoval(view)
  const isHere = shown?.list === view.list && isSameQuery(view.query, shown.query)
  return (
    <li className="group relative flex">
      <DeskLink
        href={viewHref(view.list, view.query)}
        data-view
        aria-current={isHere ? 'page' : undefined}
        onNavigate={() => {
          applyViewSearch(view, shown?.list)
          onGone?.()
        }}
        className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-2.5 text-sm font-medium text-mute transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-fill aria-[current=page]:text-ink touch:h-11"
      >
        <span className="truncate">{view.name}</span>
        {view.shared && <Users role="img" aria-label={t('shared')} className="size-3 shrink-0 text-faint" />}
        {view.count !== null && view.count > 0 && (
          <span className={cn('ml-auto', view.own && 'group-focus-within:mr-6 group-hover:mr-6 touch:mr-9!')}>
            <span aria-hidden className="block size-1.5 rounded-full bg-accent forced-colors:bg-[CanvasText]" />
            <span className="sr-only">{t('count', { count: view.count })}</span>
          </span>
        )}
      </DeskLink>
      {view.own && (
        <button
          type="button"
          aria-label={t('delete', { name: view.name })}
          onClick={() => void remove()}
          className="absolute inset-y-0 right-1 my-auto grid size-6 place-items-center rounded-sm text-faint opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 touch:size-11 touch:opacity-100"
        >
          <X className="size-3.5" />
        </button>
      )}
    </li>
  )
}

/** Lets the list that is about to be shown begin with the view's search text, which is not in its address. */
export function applyViewSearch({ list, query }: Pick<SavedView, 'list' | 'query'>, shown: LeadList | undefined): void {
  const text = query.q ?? ''
  if (shown === list) window.dispatchEvent(new CustomEvent(LIST_RESTARTED, { detail: text }))
  else presetSearch(list, text, window.sessionStorage)
}

/** Deletes a view at once, with a way back: saving it again. */
function useRemoval(view: SavedView): () => Promise<void> {
  const t = useTranslations()
  const client = useQueryClient()
  const { queryKey } = savedViewsQuery
  const finish = async (work: Promise<unknown>) => {
    const isDone = await work.then(
      () => true,
      () => false,
    )
    if (!isDone) toast(t('shell.views.failed'), { tone: 'error' })
    await client.invalidateQueries({ queryKey })
    return isDone
  }
  return async () => {
    const { id, name, list, query, shared } = view
    const saveAgain = () => void finish(api('POST /api/views', { body: { name, list, query, shared } }))
    client.setQueryData(queryKey, (before) => before && { views: before.views.filter((each) => each.id !== id) })
    if (!(await finish(api('DELETE /api/views/[id]', { params: { id } })))) return
    toast(t('shell.views.deleted', { name }), { action: { label: t('inbox.triage.undo'), onClick: saveAgain } })
  }
}
