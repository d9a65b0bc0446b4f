import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { TriggerProps } from '@/components/ui/popover'
import type { ListDescription } from '@/lib/contract/lists'
import { useSetFilters } from './filter-words'
import type { ListFilters } from './list-filters'

type FilterChipsProps = { description: ListDescription; filters: ListFilters; trigger: TriggerProps }

/** Those that find no room are counted; the number opens the filters, which say them all. */
export function FilterChips({ description, filters, trigger: { ref: _other, ...trigger } }: FilterChipsProps) {
  const t = useTranslations('inbox.filter')
  const chips = useSetFilters(description, filters)
  const box = useRef<HTMLDivElement>(null)
  const shown = useFitting(box)
  const hidden = chips.length - Math.min(shown, chips.length)
  return (
    <>
      <div ref={box} className="flex h-7 min-w-0 flex-1 flex-wrap gap-1.5 overflow-hidden touch:h-10 print:h-auto">
        {chips.map(({ key, label, text, remove }, index) => (
          <button
            key={key}
            type="button"
            data-on
            data-prints=""
            aria-label={label}
            onClick={remove}
            className={`chip gap-1 rounded-md! pr-1.5 pl-2.5 ${index < shown ? '' : 'invisible print:visible'}`}
          >
            <span className="truncate">{text}</span>
            <X aria-hidden className="size-3 shrink-0 text-mute print:hidden" />
          </button>
        ))}
      </div>
      {hidden > 0 && (
        <button
          {...trigger}
          type="button"
          aria-label={t('hidden', { count: hidden })}
          className="chip tabular shrink-0 rounded-md! px-2 touch:min-w-11 touch:justify-center print:hidden"
        >
          {t('hiddenShort', { count: hidden })}
        </button>
      )}
    </>
  )
}

/** How many of the box's children stand whole in its first line. */
function useFitting(box: RefObject<HTMLElement | null>): number {
  const [fitting, setFitting] = useState(Infinity)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setFitting(fittingIn(element))
    const [sized, changed] = [new ResizeObserver(measure), new MutationObserver(measure)]
    sized.observe(element)
    changed.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      sized.disconnect()
      changed.disconnect()
    }
  }, [box])
  return fitting
}

function fittingIn(box: HTMLElement): number {
  const edge = box.getBoundingClientRect().bottom + 1
  const isIn = (chip: Element) => {
    const { bottom, width } = chip.getBoundingClientRect()
    return bottom <= edge && width >= LEAST_PX
  }
  const first = [...box.children].findIndex((chip) => !isIn(chip))
  return first === -1 ? Infinity : first
}

/** Narrower, a chip would say nothing. */
const LEAST_PX = 48
