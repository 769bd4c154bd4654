/* Name writer: who writes names of objects, files and functions in a part, and
 * knows which of them hold for the lines that follow. */
#ifndef CG2_NAMEWRITER_H
#define CG2_NAMEWRITER_H

#include "engine/context.h"
#include "profile/callgrind/scribe.h"

typedef struct NameWriter {
   Scribe scribe;
   NameIds objects, files, functions;
   const Object* object; /* of the function that was begun last */
   const Name* own;      /* the file of that function */
   const Name* file;     /* of the lines that follow */
} NameWriter;

/* A writer into `sink` that has ids for so many objects and functions. To be
 * freed. */
NameWriter cg2_namewriter_new(Sink* sink,
                              const WriterConfig* config,
                              UInt n_objects,
                              UInt n_functions);
void cg2_namewriter_free(NameWriter* w);

/* Name an object, a file and a context, by the key `spec`. Readers take an id
 * for one function, of one object and file, so each context has an id. */
void cg2_namewriter_object(NameWriter* w,
                           const HChar* spec,
                           const Object* object);
void cg2_namewriter_file(NameWriter* w, const HChar* spec, const Name* file);
void cg2_namewriter_function(NameWriter* w,
                             const HChar* spec,
                             const Context* context);

/* Begins a context: names its file and function. Its object was named. */
void cg2_namewriter_begin(NameWriter* w, const Context* context);

/* Names the file of the lines that follow, unless it is the same: "fi=" for
 * code from another file, "fe=" back in the function's own. */
void cg2_namewriter_change_file(NameWriter* w, const Name* file);

/* Names the context that a call enters. */
void cg2_namewriter_callee(NameWriter* w, const Context* callee);

#endif
