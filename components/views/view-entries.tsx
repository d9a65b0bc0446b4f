import { useQueryClient } from '@tanstack/react-query'
import { Users, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazyCode } from '@/components/browser/lazy-code'
import { useCurrentList } from '@/components/desk/current-list'
import { DeskLink } from '@/components/desk/go'
import { cn } from '@/components/ui/cn'
import { toast } from '@/components/ui/toast'
import type { SavedView } from '@/lib/contract/saved-view'
import { isSameQuery, viewHref } from '@/lib/inbox/view-link'
import { applyViewSearch } from './view-search'

type ViewEntriesProps = { views: readonly SavedView[]; onGone: (() => void) | undefined }

/** One link for each view. */
export function ViewEntries({ views, onGone }: ViewEntriesProps) {
  return (
    <ul className="flex flex-col gap-px">
      {views.map((view) => (
        <ViewEntry key={view.id} view={view} onGone={onGone} />
      ))}
    </ul>
  )
}

const viewsCode = lazyCode(() => import('./saved-views'))

function ViewEntry({ view, onGone }: { view: SavedView; onGone: (() => void) | undefined }) {
  const t = useTranslations('shell.views')
  const shown = useCurrentList()
  const client = useQueryClient()
  const words = useTranslations()
  const remove = async () => {
    const code = await viewsCode.want()
    if (code === undefined) toast(words('trouble.partMissing'), { tone: 'error' })
    else await code.removeView(client, view, words)
  }
  const isHere = shown?.list === view.list && isSameQuery(view.query, shown.query)
  return (
    <li className="group relative flex">
      <DeskLink
        href={viewHref(view.list, view.query)}
        aria-current={isHere ? 'page' : undefined}
        onGo={() => {
          applyViewSearch(view, shown?.list)
          onGone?.()
        }}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2.5 text-sm font-medium text-mute transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-fill aria-[current=page]:text-ink touch:h-11"
      >
        <span className="truncate">{view.name}</span>
        {view.shared && <Users role="img" aria-label={t('shared')} className="size-3 shrink-0 text-faint" />}
        <span
          className={cn(
            'tabular ml-auto text-xs text-faint',
            // Beside the button that only one's own have.
            view.own && 'group-focus-within:mr-6 group-hover:mr-6 touch:mr-9!',
          )}
        >
          {view.count !== null && t('count', { count: view.count })}
        </span>
      </DeskLink>
      {view.own && (
        <button
          type="button"
          aria-label={t('delete', { name: view.name })}
          onClick={() => void remove()}
          className="absolute inset-y-0 right-1 my-auto grid size-6 place-items-center rounded-sm text-faint opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 touch:size-11 touch:opacity-100"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </li>
  )
}
