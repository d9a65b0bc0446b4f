'use client'

import { ChevronDown, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Suspense, type ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { Popover } from '@/components/ui/popover'
import { Spinner } from '@/components/ui/spinner'

type FilterChipProps = {
  name: string
  /** What is chosen, in words; null while the filter is not set. */
  value: string | null
  onClear: () => void
  /** The choices, fetched when they are first wanted. */
  children: (close: () => void) => ReactNode
}

/** One filter: a button that opens its choices, and once something is chosen, a cross that takes it away. */
export function FilterChip({ name, value, onClear, children }: FilterChipProps) {
  const isOn = value !== null
  return (
    <div data-on={isOn} className={cn(chipClass, 'group hover:not-data-[on=true]:bg-hover')}>
      <Popover
        label={name}
        className="p-1"
        trigger={(props) => (
          <button
            {...props}
            type="button"
            aria-label={isOn ? `${name}: ${value}` : name}
            className="inline-flex h-full min-w-0 items-center gap-1 rounded-full pl-2.5 not-group-data-[on=true]:pr-2 group-data-[on=true]:pr-1"
          >
            <span className="truncate">{value ?? name}</span>
            {!isOn && <ChevronDown aria-hidden className="size-3 text-faint" />}
          </button>
        )}
      >
        {(close) => (
          <div>
            <Suspense fallback={<Spinner className="m-3 size-4 text-faint" />}>{children(close)}</Suspense>
          </div>
        )}
      </Popover>
      {isOn && <RemoveButton name={name} onClear={onClear} />}
    </div>
  )
}

const chipClass =
  'inline-flex h-6.5 max-w-full min-w-0 shrink-0 items-center rounded-full border border-line bg-panel text-xs text-mute transition-colors data-[on=true]:border-transparent data-[on=true]:bg-accent-soft data-[on=true]:font-medium data-[on=true]:text-ink touch:h-9'

function RemoveButton({ name, onClear }: { name: string; onClear: () => void }) {
  const t = useTranslations('inbox.filter')
  return (
    <button
      type="button"
      aria-label={t('remove', { name })}
      onClick={onClear}
      className="grid h-full w-6 shrink-0 place-items-center rounded-full pr-0.5 text-mute hover:text-ink touch:w-9"
    >
      <X aria-hidden className="size-3" />
    </button>
  )
}

/** A filter that is on or off. */
export function ToggleChip({
  name,
  count,
  isOn,
  onToggle,
}: {
  name: string
  count: number | undefined
  isOn: boolean
  onToggle: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      data-on={isOn}
      onClick={onToggle}
      className={cn(chipClass, 'gap-1.5 px-2.5 hover:not-data-[on=true]:bg-hover')}
    >
      {name}
      {count !== undefined && <span className="tabular font-normal text-faint">{count}</span>}
    </button>
  )
}
