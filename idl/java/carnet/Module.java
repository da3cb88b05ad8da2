package carnet;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which module of the interface file a package is. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PACKAGE)
public @interface Module {
    /**
     * The name.
     *
     * @return its name in the interface file
     */
    String name();

    /**
     * The version, which is for people.
     *
     * @return the version, or an empty text
     */
    String version();

    /**
     * What the bill of a program cannot know before it runs.
     *
     * @return a text, or an empty one
     */
    String unknown();
}
