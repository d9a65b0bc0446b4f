import { ROW_HEIGHT } from '@/lib/inbox/row-layout'

/** The place of a row whose page is on its way. `index` varies the widths, so that a screenful does not look like a grid. */
export function SkeletonRow({ index }: { index: number }) {
  const width = WIDTHS[index % WIDTHS.length]
  return (
    <div
      aria-hidden
      style={{ height: ROW_HEIGHT }}
      className="grid animate-pulse grid-cols-[1rem_1fr] content-center gap-x-3 gap-y-2 pr-4 pl-4"
    >
      <span className="size-3.25 self-center rounded-full bg-line" />
      <span className={`h-3 rounded-sm bg-line ${width}`} />
      <span className="col-start-2 h-2.5 w-3/4 rounded-sm bg-line-soft" />
    </div>
  )
}

const WIDTHS = ['w-32', 'w-44', 'w-36', 'w-52', 'w-28']
