import { lazyPart } from '@/components/desk/lazy-part'
import { Skeleton } from '@/components/ui/loading'

/** Where a person is answered; its code comes with the first lead that is opened, or ahead of that when the browser is idle. */
export const ReplyDesk = lazyPart(
  async () => (await import('./reply-desk')).ReplyDesk,
  <Skeleton className="mt-5 h-72 w-full" />,
  'reply',
)
