import { cn } from './cn'

/** Shows a user's initials, which are decorative beside the name; elsewhere `title` says whose they are. */
export function Avatar({ name, size = 'sm', title }: { name: string; size?: 'sm' | 'md'; title?: string }) {
  return (
    <span
      role={title && 'img'}
      aria-label={title}
      aria-hidden={!title}
      title={title}
      // Generated content is neither found nor translated as text of the page.
      data-initials={toInitials(name)}
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-full before:content-[attr(data-initials)] bg-line font-semibold text-ink select-none forced-colors:border',
        size === 'sm' ? 'size-5 text-[0.59375rem]' : 'size-7 text-2xs',
      )}
    />
  )
}

export function toInitials(name: string): string {
  const letters = name.split(/[\s@._-]+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  return [letters[0], letters.length > 1 && letters.at(-1)].filter(Boolean).join('').toLocaleUpperCase('sv')
}
