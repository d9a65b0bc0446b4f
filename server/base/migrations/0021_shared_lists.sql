CREATE SEQUENCE "event_number";--> statement-breakpoint
CREATE UNLOGGED TABLE "feed_leader" (
	"name" text PRIMARY KEY NOT NULL,
	"instance" text NOT NULL,
	"token" bigint NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "shared_list_parts" (
	"body" text NOT NULL,
	"part" integer NOT NULL,
	"list" text NOT NULL,
	"sealed_bytes" "bytea" NOT NULL,
	CONSTRAINT "shared_list_parts_body_part_pk" PRIMARY KEY("body","part")
);
--> statement-breakpoint
-- What is sealed cannot be compressed.
ALTER TABLE "shared_list_parts" ALTER COLUMN "sealed_bytes" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE UNLOGGED TABLE "shared_lists" (
	"list" text PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"sealed_state" text NOT NULL,
	"body" text,
	"published_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
